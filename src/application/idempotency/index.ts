import type { Ports } from '../../domain/ports/index.ts';
import { runIdempotently } from './run-idempotently.ts';

export interface IdempotencySettings {
  /** Of a response that is kept to be replayed. */
  readonly idempotencyMaxResponseBytes: number;
}

export const idempotencyUses = (ports: Ports, settings: IdempotencySettings) => ({
  runIdempotently: runIdempotently(ports, settings.idempotencyMaxResponseBytes),
});
