import { Page } from '../../parts/page.tsx';

export const SubscriptionsPage = () => <Page title="Subscriptions">{null}</Page>;
