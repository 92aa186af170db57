import { Page } from '../../parts/page.tsx';

export const OverviewPage = () => <Page title="Overview">{null}</Page>;
