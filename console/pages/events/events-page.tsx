import { Page } from '../../parts/page.tsx';

export const EventsPage = () => <Page title="Events">{null}</Page>;
