import { buildRouteMap } from '@stricli/core';

import { tailRequests } from './tail.ts';
import { explainRequest } from './why.ts';

export const requestCommands = buildRouteMap({
  routes: { tail: tailRequests, why: explainRequest },
  docs: { brief: 'Refused app requests, and why' },
});
