import type { KeyScope } from '../../src/domain/ports/idempotency/idempotency-repository.ts';
import type { Ports } from '../../src/domain/ports/index.ts';

/** Claims the key as a request does that ends before its work. */
export const claimKey = ({ transaction }: Pick<Ports, 'transaction'>, scope: KeyScope, fingerprint: string): Promise<void> =>
  transaction.runClaimed({ cause: null, scope, fingerprint }, () => Promise.resolve());
