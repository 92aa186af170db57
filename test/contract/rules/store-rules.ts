import { portsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import type { NamedCall } from './call.ts';
import { BOUND, differences, look, shownOf, STORED, withThingsOf } from './look.ts';
import type { RulesWorld } from './rules-world.ts';
import { openShop, type Shop } from './shop.ts';

const WRITES = ['writes'];
const ENDS = ['ends'];

/** A write may be refused: only its trace in the other store counts. */
const writeAll = async (ports: StoragePorts, shop: Shop, kinds: readonly string[]): Promise<void> => {
  const tried = async (run: () => Promise<unknown>): Promise<void> => void (await run().catch(() => undefined));
  const isMeant = ({ kind, name }: NamedCall<never>): boolean => kinds.includes(kind) && name !== 'storeErasure.accept';
  for (const call of BOUND.filter(isMeant)) await tried(() => ports.transaction.run(null, (tx) => call.run(tx, shop)));
  for (const call of STORED.filter(isMeant)) await tried(() => call.run(ports, shop));
};

/** Every row belongs to a store, and every method keeps to the store that it is given. */
export const leaksBetweenStores = async (world: RulesWorld): Promise<string[]> => {
  const ports = portsSoFar(world.ports);
  const one = await openShop(world, ports, 'one');
  let before = await look(ports, one);
  const faults: string[] = [];
  const judge = async (when: string): Promise<void> => {
    faults.push(...differences(before, await look(ports, one), when));
  };
  const other = await openShop(world, ports, 'other');
  await judge('after another store got rows with the same ids');
  faults.push(...(await shownOf(ports, other, one)));
  const theirs = await look(ports, other);
  await writeAll(ports, one, WRITES);
  faults.push(...differences(theirs, await look(ports, other), 'after writes in another store'));
  before = await look(ports, one);
  await writeAll(ports, other, WRITES);
  await judge('after writes in another store');
  const mixed = withThingsOf(other, one);
  await writeAll(ports, mixed, [...WRITES, ...ENDS]);
  await judge('after writes in another store by the ids of this one');
  await writeAll(ports, other, ENDS);
  for (const { name, run } of STORED) if (name === 'storeErasure.accept') await run(ports, other).catch(() => undefined);
  await judge('after another store ended what it has');
  return [...new Set(faults)];
};

/** Examples that show nothing of a full store: they would not show a leak. */
export const blindExamples = async (world: RulesWorld): Promise<string[]> => {
  const ports = portsSoFar(world.ports);
  const shop = await openShop(world, ports, 'seen');
  const empty = await world.aStore('empty.test');
  const blank = { ...withThingsOf({ ...shop, storeId: empty, domain: 'empty.test' }, shop) };
  const [seen, unseen] = [await look(ports, shop), await look(ports, blank)];
  return [...seen].flatMap(([name, text]) => (unseen.get(name) === text ? [name] : []));
};
