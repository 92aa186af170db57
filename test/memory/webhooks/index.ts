import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import type { MemoryState } from '../state.ts';
import { appLife } from './app-life.ts';
import { backlog } from './backlog.ts';
import { deliveryLog } from './delivery-log.ts';
import { deliveryRepository } from './delivery-repository.ts';
import { eventFeed } from './event-feed.ts';
import { incidentSignals } from './incident-signals.ts';
import { redeliveryRepository } from './redelivery-repository.ts';
import { subscriptionChanges } from './subscription-changes.ts';
import { subscriptionRepository } from './subscription-repository.ts';

export const webhookPorts = (state: MemoryState, options: { readonly clock: Clock; readonly ids: Ids }) => {
  const { clock, ids } = options;
  const log = deliveryLog(state, options);
  return {
    appLife: appLife(state, options),
    backlog: backlog(state, clock),
    deliveries: deliveryRepository(state, options),
    deliveryLog: log,
    eventFeed: eventFeed(state, clock),
    incidentSignals: incidentSignals(state, clock),
    redeliveries: redeliveryRepository(state, { clock, ids, deliveryLog: log }),
    subscriptions: subscriptionRepository(state, clock),
    subscriptionChanges: subscriptionChanges(state, clock),
  };
};
