import { buildRouteMap } from '@stricli/core';

import { exportProducts } from './export.ts';
import { getProduct } from './get.ts';
import { importProducts } from './import.ts';
import { listImports } from './imports.ts';
import { listProducts } from './list.ts';

export const productCommands = buildRouteMap({
  routes: { list: listProducts, get: getProduct, import: importProducts, imports: listImports, export: exportProducts },
  docs: { brief: 'Products of a store' },
});
