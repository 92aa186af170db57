import { Page } from '../../parts/page.tsx';

export const ProductsPage = () => <Page title="Catalogue">{null}</Page>;
