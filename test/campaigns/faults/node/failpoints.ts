import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import type { Ports, TransactionPorts } from '../../../../src/domain/ports/index.ts';
import type { Transaction } from '../../../../src/domain/ports/transaction.ts';
import { aroundTransaction } from '../../../support/around-transaction.ts';
import { LANDED_FD, type ArmCommand } from './commands.ts';

let armed: { readonly order: ArmCommand; left: number } | null = null;

/** The process acts when it has passed that point this many times from now; null: never. */
export const arm = (order: ArmCommand | null): void => {
  armed = order && { order, left: order.passes };
};

/** A point of a protocol, by its name. Nothing happens here unless it is armed. */
export const at = async (point: string): Promise<void> => {
  if (armed?.order.point !== point) return;
  if (armed.left > 0) {
    armed.left -= 1;
    return;
  }
  const acting = armed;
  // Unawaited writes have left by then.
  await setImmediate();
  // Disarmed meanwhile, and the campaign no longer expects it; or another request came first.
  if (armed !== acting) return;
  const { action } = acting.order;
  armed = null;
  writeSync(LANDED_FD, `${point}\n`);
  process.kill(process.pid, action);
  // A signal may take a turn to arrive. Nothing continues before it.
  await new Promise((resolve) => setTimeout(resolve, action === 'SIGKILL' ? 60_000 : 5));
};

type Method = (...args: unknown[]) => unknown;

/** A port whose methods, those that answer promises, pass `<name>.<method>:before` and `:after`. */
const pointed = <P extends object>(name: string, port: P, methods: readonly string[]): P =>
  new Proxy(port, {
    get: (target, property, receiver): unknown => {
      const value: unknown = Reflect.get(target, property, receiver);
      if (typeof value !== 'function' || typeof property !== 'string' || !methods.includes(property)) return value;
      return async (...args: unknown[]): Promise<unknown> => {
        await at(`${name}.${property}:before`);
        const answer = await Reflect.apply(value as Method, target, args);
        await at(`${name}.${property}:after`);
        return answer;
      };
    },
  });

/** Purposes of transactions, known by the first port of these that their work used. */
const PURPOSES = {
  idempotency: 'write',
  installations: 'uninstall',
  mediaImports: 'item',
  products: 'import',
  events: 'event',
} as const;

const pointedTransaction = (tx: TransactionPorts, use: (port: keyof typeof PURPOSES) => void): TransactionPorts => {
  const noting = <P extends object>(name: keyof typeof PURPOSES, port: P): P =>
    new Proxy(port, {
      get: (target, property, receiver): unknown => {
        use(name);
        return Reflect.get(target, property, receiver);
      },
    });
  return {
    ...tx,
    idempotency: noting('idempotency', pointed('key', tx.idempotency, ['lock', 'remember'])),
    bulkProducts: pointed('bulk', tx.bulkProducts, ['update']),
    bulkVariants: pointed('stock', tx.bulkVariants, ['update']),
    mediaFiles: pointed('file', tx.mediaFiles, ['keep']),
    mediaImports: noting('mediaImports', pointed('imports', tx.mediaImports, ['create', 'settle'])),
    events: noting('events', pointed('outbox', tx.events, ['append'])),
    installations: noting('installations', pointed('app', tx.installations, ['uninstall'])),
    products: noting('products', pointed('catalogue', tx.products, ['save', 'addMedia'])),
  };
};

/** The key is claimed when the work begins. */
const withClaim = (transaction: Transaction): Transaction => ({
  ...transaction,
  runClaimed: async (claim, work) => {
    await at('key.claim:before');
    return transaction.runClaimed(claim, async (tx) => {
      await at('key.claim:after');
      return work(tx);
    });
  },
});

/** The ports with a point before and after every step of what the campaign breaks. */
export const withFailpoints = (ports: Ports): Ports => ({
  ...ports,
  transaction: withClaim(
    aroundTransaction(ports.transaction, async (run, work) => {
      let purpose: string | undefined;
      const value = await run((tx) => work(pointedTransaction(tx, (port) => (purpose ??= PURPOSES[port]))));
      await at(`commit of ${purpose ?? 'nothing'}:after`);
      return value;
    }),
  ),
  subscriptions: pointed('subscription', ports.subscriptions, ['create', 'delete']),
  deliveries: pointed('deliveries', ports.deliveries, ['fanOut', 'target', 'claim', 'settle']),
  deliveryQueue: pointed('queue', ports.deliveryQueue, ['wake']),
  workLeases: pointed('lease', ports.workLeases, ['acquire']),
  mediaImports: pointed('imports', ports.mediaImports, ['begin', 'postpone']),
  mediaSource: pointed('source', ports.mediaSource, ['fetch', 'release']),
  mediaFiles: pointed('file', ports.mediaFiles, ['announce']),
  mediaStorage: pointed('storage', ports.mediaStorage, ['put']),
  webhookSender: pointed('sender', ports.webhookSender, ['send']),
});
