import { isNotWritten, portsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { TransactionPorts } from '../../../src/domain/ports/transaction.ts';
import { withTimeout } from '../../../src/adapters/startup/deadline.ts';
import { latch } from '../../support/latch.ts';
import { BOUND, differences, look, lookInside, lookOutside, type Seen } from './look.ts';
import type { RulesWorld } from './rules-world.ts';
import { definitionOf, ifWritten, openShop, TYPE, type Shop } from './shop.ts';
import { withNuls } from './texts.ts';

const WRITING = BOUND.filter(({ kind }) => kind === 'writes');

const writeAll = async (tx: TransactionPorts, shop: Shop): Promise<void> => {
  for (const call of WRITING) await ifWritten(() => call.run(tx, shop));
};

class Undone extends Error {}

/** A transaction sees its own rows. Others see none of them before its commit, and none at all if it throws. */
export const isolationFaults = async (world: RulesWorld): Promise<string[]> => {
  const ports = portsSoFar(world.ports);
  const shop = await openShop(world, ports, 'isolated');
  const [before, committed] = [await look(ports, shop), await lookOutside(ports, shop)];
  const faults: string[] = [];
  const undone = await ports.transaction
    .run(null, async (tx) => {
      await writeAll(tx, shop);
      faults.push(...differences(committed, await lookOutside(ports, shop), 'shows rows that are not committed'));
      throw new Undone();
    })
    .catch((error: unknown) => error);
  if (!(undone instanceof Undone)) faults.push(`a transaction whose work throws ends with ${String(undone)}`);
  faults.push(...differences(before, await look(ports, shop), 'after a transaction that threw'));
  let own: Seen = new Map();
  await ports.transaction.run(null, async (tx) => {
    await writeAll(tx, shop);
    own = await lookInside(tx, shop);
  });
  const after = await look(ports, shop);
  faults.push(...differences(own, after, 'is not what its transaction saw'));
  if (differences(before, after, '').length === 0) faults.push('a transaction keeps nothing');
  return faults;
};

/** A failure that the work catches still ends the transaction, which keeps nothing. */
export const caughtFailures = async (world: RulesWorld): Promise<string[]> => {
  const ports = portsSoFar(world.ports);
  const shop = await openShop(world, ports, 'caught');
  const before = await look(ports, shop);
  const faults: string[] = [];
  for (const failing of WRITING) {
    const end = await ports.transaction
      .run(null, async (tx) => {
        for (const call of WRITING.filter((one) => one !== failing)) {
          await ifWritten(() => call.run(tx, shop));
          break;
        }
        const failure = await failing.run(tx, shop, withNuls).catch((error: unknown) => error);
        // A method may also answer what it refuses. Then there is no failure to catch.
        if (!(failure instanceof Error) || isNotWritten(failure)) throw new Undone();
      })
      .then(
        () => 'committed',
        () => 'rejected',
      );
    if (end === 'committed') faults.push(`a transaction resolves after ${failing.name} failed`);
  }
  return [...faults, ...differences(before, await look(ports, shop), 'after transactions with a failure')];
};

const PATIENCE_MS = 20_000;

const ended = async (work: Promise<unknown>, patienceMs: number): Promise<boolean> =>
  withTimeout(
    patienceMs,
    work.then(
      () => true,
      () => true,
    ),
    () => false,
  );

const define = (tx: TransactionPorts, { storeId }: Shop, type: string) =>
  tx.metaobjects.putDefinition(storeId, { ...definitionOf(storeId), type });

/** Transactions that work beside each other end, also where each waits for the other. */
export const waitingFaults = async (world: RulesWorld, patienceMs = PATIENCE_MS): Promise<string[]> => {
  const ports = portsSoFar(world.ports);
  const shop = await openShop(world, ports, 'waiting');
  const faults: string[] = [];
  const nested = ports.transaction.run(null, async () => ports.transaction.run(null, (tx) => define(tx, shop, 'nested')));
  if (!(await ended(nested, patienceMs))) return ['a transaction in the work of another one does not end'];
  const [locked, begun] = [latch(), latch()];
  const holder = ports.transaction.run(null, async (tx) => {
    await tx.metaobjects.lockDefinition(shop.storeId, TYPE);
    locked.open();
    await begun.opened;
    await define(tx, shop, 'holder');
  });
  const waiter = ports.transaction.run(null, async (tx) => {
    await locked.opened;
    const writing = define(tx, shop, 'waiter');
    begun.open();
    await writing;
    await tx.metaobjects.lockDefinition(shop.storeId, TYPE);
  });
  if (!(await ended(Promise.all([holder, waiter]), patienceMs)))
    faults.push('a transaction that writes and then locks does not end');
  return faults;
};
