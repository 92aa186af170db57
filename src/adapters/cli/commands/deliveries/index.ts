import { buildRouteMap } from '@stricli/core';

import { getDelivery } from './get.ts';
import { listDeliveries, tailDeliveries } from './list.ts';
import { redeliver } from './redeliver.ts';

export const deliveryCommands = buildRouteMap({
  routes: { list: listDeliveries, get: getDelivery, tail: tailDeliveries, redeliver },
  docs: { brief: 'Webhook deliveries and their attempts' },
});
