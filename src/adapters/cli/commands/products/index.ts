import { buildRouteMap } from '@stricli/core';

import { exportProducts } from './export.ts';
import { importProducts } from './import.ts';

export const productCommands = buildRouteMap({
  routes: { import: importProducts, export: exportProducts },
  docs: { brief: 'Products of a store' },
});
