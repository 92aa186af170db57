import type { Ports } from '../../domain/ports/index.ts';
import { runIdempotently } from './run-idempotently.ts';

export interface IdempotencySettings {
  /** A larger response is not kept, and so not replayed. */
  readonly idempotencyMaxResponseBytes: number;
}

export const idempotencyUses = (ports: Ports, settings: IdempotencySettings) => ({
  runIdempotently: runIdempotently(ports, settings.idempotencyMaxResponseBytes),
});
