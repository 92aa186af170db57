import { Page } from '../../parts/page.tsx';

export const RequestsPage = () => <Page title="Requests">{null}</Page>;
