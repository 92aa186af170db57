import { Page } from '../../parts/page.tsx';

export const ProductPage = () => <Page title="Product">{null}</Page>;
