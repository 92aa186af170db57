import type { PurgeRows } from '../../domain/background-work.ts';
import type { Ports } from '../../domain/ports/index.ts';

export const idempotencyPurges = ({ idempotency, keyLog }: Ports): readonly PurgeRows[] => [
  (limit) => idempotency.purge(limit),
  (limit) => keyLog.purge(limit),
];
