import { buildRouteMap } from '@stricli/core';

import { exportStore, importStore } from './archive.ts';
import { getStore, listStores } from './list.ts';
import { createStore, deleteStore, updateStore } from './update.ts';

export const storeCommands = buildRouteMap({
  routes: {
    list: listStores,
    create: createStore,
    get: getStore,
    update: updateStore,
    delete: deleteStore,
    export: exportStore,
    import: importStore,
  },
  docs: { brief: 'Stores of this server' },
});
