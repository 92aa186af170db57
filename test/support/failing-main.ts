import { setImmediate } from 'node:timers/promises';

import type { Ports, TransactionPorts } from '../../src/domain/ports/index.ts';
import { serve } from './serve.ts';

// The server, that kills itself with SIGKILL when a request with the key of KILL_AT (`kill-<step>`) comes to that step.
const killAt = process.env['KILL_AT'] ?? '';
const isTheKey = (key: string): boolean => key === `kill-${killAt}`;

const die = async (): Promise<never> => {
  // What was sent without waiting for its answer has left by then.
  await setImmediate();
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
};

const dyingIn = (tx: TransactionPorts, onLock: (key: string) => void): TransactionPorts => ({
  ...tx,
  idempotency: {
    ...tx.idempotency,
    claim: async (scope, fingerprint) => {
      if (isTheKey(scope.key) && killAt === 'before-claim') await die();
      await tx.idempotency.claim(scope, fingerprint);
      if (isTheKey(scope.key) && killAt === 'after-claim') await die();
    },
    lock: async (scope) => {
      const locked = await tx.idempotency.lock(scope);
      if (isTheKey(scope.key)) {
        onLock(scope.key);
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
    run: async <T>(work: (tx: TransactionPorts) => Promise<T>): Promise<T> => {
      const locked = new Set<string>();
      const value = await ports.transaction.run((tx) => work(dyingIn(tx, (key) => locked.add(key))));
      if (locked.size > 0 && killAt === 'after-commit') await die();
      return value;
    },
  },
});

await serve(dying);
