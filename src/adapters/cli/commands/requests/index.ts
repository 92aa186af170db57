import { buildRouteMap } from '@stricli/core';

import { listRequests, tailRequests } from './list.ts';
import { explainRequest } from './why.ts';

export const requestCommands = buildRouteMap({
  routes: { list: listRequests, tail: tailRequests, why: explainRequest },
  docs: { brief: 'Refused app requests, and why' },
});
