import { buildRouteMap } from '@stricli/core';

import { getApp } from './get.ts';
import { listApps } from './list.ts';

export const appCommands = buildRouteMap({
  routes: { list: listApps, get: getApp },
  docs: { brief: 'Apps that are installed on a store' },
});
