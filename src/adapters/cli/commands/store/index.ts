import { buildRouteMap } from '@stricli/core';

import { createStore } from './create.ts';
import { deleteStore } from './delete.ts';
import { exportStore, importStore } from './archive.ts';
import { getStore } from './get.ts';
import { listStores } from './list.ts';
import { updateStore } from './update.ts';

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
