import { buildRouteMap } from '@stricli/core';

import { listWarehouses } from './list.ts';
import { setWarehouse } from './set.ts';

export const warehouseCommands = buildRouteMap({
  routes: { list: listWarehouses, set: setWarehouse },
  docs: { brief: 'Warehouses of a store, and their names' },
});
