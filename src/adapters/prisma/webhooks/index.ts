import type { Cause } from '../../../domain/cause.ts';
import type { Database } from '../connection/database.ts';
import type { TransactionSql } from '../connection/sql.ts';
import type { AnnounceStop } from '../work/stop-work.ts';
import { appLife } from './feed/app-life.ts';
import { backlog } from './queue/backlog.ts';
import { deliveryLog } from './log/delivery-log.ts';
import { deliveryRepository } from './queue/delivery-repository.ts';
import { eventFeed } from './feed/event-feed.ts';
import { eventRepository, type EventOptions } from './feed/event-repository.ts';
import { incidentSignals } from './incident-signals.ts';
import { invariants } from './invariants.ts';
import { redeliveryRepository } from './queue/redelivery-repository.ts';
import { repairs } from './queue/repairs.ts';
import { subscriptionUpdates } from './subscriptions/subscription-changes.ts';
import { subscriptionRepository } from './subscriptions/subscription-repository.ts';

export interface WebhookOptions extends EventOptions {
  /** Seconds after which a request with an idempotency key cannot run any more; 300 by default. */
  readonly longestRequestSeconds?: number;
  readonly announceStop?: AnnounceStop;
}

export const webhookPorts = (database: Database, options: WebhookOptions) => ({
  appLife: appLife(database, options),
  backlog: backlog(database),
  deliveries: deliveryRepository(database, options),
  deliveryLog: deliveryLog(database, options),
  eventFeed: eventFeed(database),
  incidentSignals: incidentSignals(database),
  invariants: invariants(database, options.longestRequestSeconds),
  redeliveries: redeliveryRepository(database, options),
  repairs: repairs(database),
  subscriptions: subscriptionRepository(database, options.announceStop),
  subscriptionChanges: subscriptionUpdates(database, options.announceStop),
});

export const webhookWrites = (sql: TransactionSql, options: EventOptions, cause: Cause) => ({
  events: eventRepository(sql, options, cause),
});
