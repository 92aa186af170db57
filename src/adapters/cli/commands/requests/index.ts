import { buildRouteMap } from '@stricli/core';

import { listRequests } from './list.ts';
import { tailRequests } from './tail.ts';
import { explainRequest } from './why.ts';

export const requestCommands = buildRouteMap({
  routes: { list: listRequests, tail: tailRequests, why: explainRequest },
  docs: { brief: 'Refused app requests, and why' },
});
