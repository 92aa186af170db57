import { Page } from '../../parts/page.tsx';

export const SearchPage = () => <Page title="Search">{null}</Page>;
