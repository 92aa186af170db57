import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { storeRoute } from '../../routes.tsx';
import { importSearch, productSearch, productsSearch } from './search.ts';

export const productsRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/products',
  validateSearch: productsSearch,
  component: lazyRouteComponent(() => import('./products-page.tsx'), 'ProductsPage'),
});

export const productRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/products/$productId',
  validateSearch: productSearch,
  component: lazyRouteComponent(() => import('./product-page.tsx'), 'ProductPage'),
});

export const importRoute = createRoute({
  getParentRoute: () => storeRoute,
  path: '/import',
  validateSearch: importSearch,
  component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
});
