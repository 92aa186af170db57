import { isNotWritten, portsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import type { NamedCall } from './call.ts';
import { BOUND, lookOf, STORED, type Seen } from './look.ts';
import type { RulesWorld } from './rules-world.ts';
import { openShop, type Shop } from './shop.ts';
import { textPaths, withTextAt } from './texts.ts';

/** Ports that show what another one writes. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  bulkProducts: 'productReader',
  bulkVariants: 'productReader',
  products: 'productReader',
  mediaImports: 'mediaImportLog',
  subscriptionChanges: 'subscriptions',
};

/** JSON of the sender, in which U+0000 is escaped. */
const IN_JSON = /^events\.append 0\.\d+\.data\./;

const MARK = '~nul~';

const isWriting = ({ kind }: NamedCall<never>): boolean => kind === 'writes';

const showing = async (ports: StoragePorts, shop: Shop, { name }: NamedCall<never>): Promise<Seen> => {
  const port = name.split('.', 1)[0] ?? '';
  const isOfPort = (call: NamedCall<never>): boolean =>
    [port, SHOWN_BY[port]].some((one) => call.name.startsWith(`${one ?? port}.`));
  return lookOf(ports, shop, isOfPort);
};

type Change = NonNullable<Parameters<NamedCall<never>['run']>[2]>;

/** A write refuses a text with U+0000, wherever it is, or does not keep it. */
export const nulFaults = async (world: RulesWorld): Promise<string[]> => {
  const ports = portsSoFar(world.ports);
  const shop = await openShop(world, ports, 'nul');
  const faults: string[] = [];
  const judge = async (
    call: NamedCall<never>,
    given: readonly unknown[],
    run: (change: Change) => Promise<unknown>,
  ): Promise<void> => {
    // A list has many texts of a name that are kept in the same way.
    const paths = new Map(textPaths(given).map((path) => [String(path.at(-1)), path]));
    for (const path of paths.values()) {
      const place = `${call.name} ${path.join('.')}`;
      if (IN_JSON.test(place)) continue;
      const refusal = await run((fresh) => withTextAt(fresh, path, (text) => `${text}${MARK}\0`)).catch(
        (error: unknown) => error,
      );
      if (isNotWritten(refusal)) return;
      if (refusal instanceof Error) continue;
      const kept = [...(await showing(ports, shop, call))].filter(([, text]) => text.includes(MARK));
      if (kept.length > 0) faults.push(`${place} is kept with U+0000: ${kept.map(([name]) => name).join(', ')}`);
    }
  };
  for (const call of BOUND.filter(isWriting)) {
    const given = await ports.transaction.run(null, (tx) => call.given(tx, shop)).catch(() => []);
    await judge(call, given, (change) => ports.transaction.run(null, (tx) => call.run(tx, shop, change)));
  }
  for (const call of STORED.filter(isWriting))
    await judge(call, await call.given(ports, shop), (change) => call.run(ports, shop, change));
  return faults;
};
