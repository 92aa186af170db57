import { Page } from '../../parts/page.tsx';

export const AppsPage = () => <Page title="Apps">{null}</Page>;
