import type { IdempotencyRepository } from './idempotency-repository.ts';
import type { KeyLog } from './key-log.ts';

export interface IdempotencyPorts {
  readonly idempotency: IdempotencyRepository;
  readonly keyLog: KeyLog;
}
