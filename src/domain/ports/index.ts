import type { Clock } from './clock.ts';
import type { Ids } from './ids.ts';
import type { Locator } from './locator.ts';
import type { PatternMatcher } from './pattern-matcher.ts';
import type { Secrets } from './secrets.ts';
import type { Transaction } from './transaction.ts';
import type { Turns } from './turns.ts';
import type { WorkLeases } from './work-lease.ts';
import type { CataloguePorts } from './catalogue/index.ts';
import type { CustomDataPorts } from './custom-data/index.ts';
import type { IdempotencyPorts } from './idempotency/index.ts';
import type { IdentityPorts } from './identity/index.ts';
import type { InsightPorts } from './insight/index.ts';
import type { MediaPorts } from './media/index.ts';
import type { WebhookPorts } from './webhooks/index.ts';

export type { TransactionPorts } from './transaction.ts';

/** All ports of the domain and the application: those of each room, and those that every room uses. */
export interface Ports
  extends CataloguePorts, CustomDataPorts, IdempotencyPorts, IdentityPorts, InsightPorts, MediaPorts, WebhookPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly locator: Locator;
  readonly patterns: PatternMatcher;
  readonly secrets: Secrets;
  readonly transaction: Transaction;
  readonly turns: Turns;
  readonly workLeases: WorkLeases;
}
