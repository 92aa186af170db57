import { Page } from '../../parts/page.tsx';

export const ImportPage = () => <Page title="Import">{null}</Page>;
