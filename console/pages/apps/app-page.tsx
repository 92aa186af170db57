import { Page } from '../../parts/page.tsx';

export const AppPage = () => <Page title="App">{null}</Page>;
