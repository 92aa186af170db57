import { buildRouteMap } from '@stricli/core';

import { getEvent } from './get.ts';
import { listEvents, tailEvents } from './list.ts';
import { triggerEvent } from './trigger.ts';

export const eventCommands = buildRouteMap({
  routes: { list: listEvents, get: getEvent, tail: tailEvents, trigger: triggerEvent },
  docs: { brief: 'Events of a store' },
});
