import { setImmediate } from 'node:timers/promises';

import type { Ports, TransactionPorts } from '../../src/domain/ports/index.ts';
import { serve } from './serve.ts';

// The server, that kills itself with SIGKILL when a request with the key of KILL_AT (`kill-<step>`) comes to that step.
const killAt = process.env['KILL_AT'] ?? '';
const isTheKey = (key: string): boolean => key === `kill-${killAt}`;

const die = async (): Promise<never> => {
  // Unawaited writes have left by then.
  await setImmediate();
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
};

const dyingIn = (tx: TransactionPorts, onLock: () => void): TransactionPorts => ({
  ...tx,
  idempotency: {
    ...tx.idempotency,
    lock: async (scope) => {
      const locked = await tx.idempotency.lock(scope);
      if (isTheKey(scope.key)) {
        onLock();
        if (killAt === 'after-lock') await die();
      }
      return locked;
    },
    remember: async (scope, ...given) => {
      if (isTheKey(scope.key) && killAt === 'after-work') await die();
      await tx.idempotency.remember(scope, ...given);
      if (isTheKey(scope.key) && killAt === 'after-remember') await die();
    },
  },
});

const dying = (ports: Ports): Ports => ({
  ...ports,
  transaction: {
    ...ports.transaction,
    runClaimed: async (claim, work) => {
      const isMine = isTheKey(claim.scope.key);
      if (isMine && killAt === 'before-claim') await die();
      const locked = new Set<string>();
      const value = await ports.transaction.runClaimed(claim, async (tx) => {
        if (isMine && killAt === 'after-claim') await die();
        return work(dyingIn(tx, () => locked.add(claim.scope.key)));
      });
      if (locked.size > 0 && killAt === 'after-commit') await die();
      return value;
    },
  },
});

await serve(dying);
