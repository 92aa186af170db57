import { buildRouteMap } from '@stricli/core';

import { tailRequests } from './tail.ts';
import { explainRequest } from './why.ts';

export const requestCommands = buildRouteMap({
  routes: { tail: tailRequests, why: explainRequest },
  docs: { brief: 'Requests of apps that were refused, and why' },
});
