import { buildRouteMap } from '@stricli/core';

import { exportEntries, listEntries, removeStoredEntry } from './entries.ts';
import { deleteType, listTypes } from './types.ts';

export const customDataCommands = buildRouteMap({
  routes: { types: listTypes, list: listEntries, export: exportEntries, delete: removeStoredEntry, deleteType },
  docs: { brief: 'Types and entries of custom data' },
});
