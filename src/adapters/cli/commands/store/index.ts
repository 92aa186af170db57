import { buildRouteMap } from '@stricli/core';

import { createStore } from './create.ts';
import { getStore } from './get.ts';
import { listStores } from './list.ts';
import { updateStore } from './update.ts';

export const storeCommands = buildRouteMap({
  routes: { list: listStores, create: createStore, get: getStore, update: updateStore },
  docs: { brief: 'Stores of this server' },
});
