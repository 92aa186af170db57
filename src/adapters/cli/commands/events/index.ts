import { buildRouteMap } from '@stricli/core';

import { getEvent } from './get.ts';
import { listEvents } from './list.ts';
import { tailEvents } from './tail.ts';

export const eventCommands = buildRouteMap({
  routes: { list: listEvents, get: getEvent, tail: tailEvents },
  docs: { brief: 'What happened in a store' },
});
