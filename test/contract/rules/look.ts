import { isNotWritten } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import type { TransactionPorts } from '../../../src/domain/ports/transaction.ts';
import { callsIn, type NamedCall } from './call.ts';
import { CALLS, TRANSACTION_CALLS } from './calls.ts';
import { unknownIds, type Located, type Shop } from './shop.ts';

export const STORED = callsIn<object, StoragePorts>(CALLS);
export const BOUND = callsIn<object, TransactionPorts>(TRANSACTION_CALLS);

/** Answers of calls, as text, by the name of the call. */
export type Seen = ReadonlyMap<string, string>;

/** Members that change as time passes. */
const MOVING = /seconds|^askedAt$|^age|^trend$|^expiresAt$/i;

/** JSON makes this of bytes before a replacer sees them. */
const isBytes = (value: unknown): value is { readonly data: readonly number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;

const plain = (key: string, value: unknown): unknown => {
  if (MOVING.test(key)) return undefined;
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value];
  if (isBytes(value)) return Buffer.from(value.data).toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return value;
};

const textOf = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value, plain));

const isReading = ({ kind }: NamedCall<never>): boolean => kind === 'reads' || kind === 'knows';

/** The text of the answer, or of the refusal. Undefined where the port is not written. */
const answerOf = async (run: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    return textOf(await run());
  } catch (error) {
    return isNotWritten(error) ? undefined : `refused: ${String(error)}`;
  }
};

const lookBy = async <From>(calls: readonly NamedCall<From>[], ports: From, shop: Shop, prefix = ''): Promise<Seen> => {
  const seen = new Map<string, string>();
  for (const call of calls) {
    if (!isReading(call)) continue;
    const answer = await answerOf(() => call.run(ports, shop));
    if (answer !== undefined) seen.set(`${prefix}${call.name}`, answer);
  }
  return seen;
};

export const lookInside = (tx: TransactionPorts, shop: Shop): Promise<Seen> => lookBy(BOUND, tx, shop, 'transaction.');

/** Answers of the ports that are not bound to a transaction. */
export const lookOutside = (ports: StoragePorts, shop: Shop): Promise<Seen> => lookBy(STORED, ports, shop);

/** Answers of the calls that are meant. */
export const lookOf = async (ports: StoragePorts, shop: Shop, isMeant: (call: NamedCall<never>) => boolean): Promise<Seen> => {
  const bound = BOUND.filter(isMeant);
  const inside = await ports.transaction.run(null, (tx) => lookBy(bound, tx, shop, 'transaction.'));
  return new Map([...inside, ...(await lookBy(STORED.filter(isMeant), ports, shop))]);
};

/** All that the ports show of a shop. */
export const look = async (ports: StoragePorts, shop: Shop): Promise<Seen> =>
  new Map([...(await lookOutside(ports, shop)), ...(await ports.transaction.run(null, (tx) => lookInside(tx, shop)))]);

const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

/** Sentences about what differs. */
export const differences = (before: Seen, after: Seen, when: string): string[] =>
  [...before].flatMap(([name, text]) =>
    after.get(name) === text ? [] : [`${name} ${when}: ${shortened(text)} became ${shortened(after.get(name) ?? 'nothing')}`],
  );

/** The shop of a store, asked for things that another store has. */
export const withThingsOf = (shop: Shop, others: Located): Shop => {
  const { storeId, domain } = shop;
  return { ...others, storeId, domain };
};

const unnamed = (seen: Seen, things: Located): Seen => {
  const ids = Object.entries(things as unknown as Readonly<Record<string, string>>);
  return new Map([...seen].map(([name, text]) => [name, ids.reduce((one, [of, id]) => one.replaceAll(id, of), text)]));
};

const locatedIn = ({ storeId: _, domain: __, ...located }: Shop): Located => located;

/** Sentences about what a store shows of another one that is asked for by its ids. */
export const shownOf = async (ports: StoragePorts, shop: Shop, other: Shop): Promise<string[]> => {
  const [theirs, nobodys] = [locatedIn(other), unknownIds()];
  const seen = unnamed(await look(ports, withThingsOf(shop, theirs)), theirs);
  const unknown = unnamed(await look(ports, withThingsOf(shop, nobodys)), nobodys);
  const knowing = new Set(STORED.filter(({ kind }) => kind === 'knows').map(({ name }) => name));
  return differences(unknown, seen, 'asked for things of another store').filter(
    (text) => !knowing.has(text.split(' ', 1)[0] ?? ''),
  );
};
