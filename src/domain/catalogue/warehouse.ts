import { id, text } from '../fields/kinds.ts';
import { resource, type Resource } from '../fields/record.ts';
import { ok, refuse, type Refusal, type Result } from '../result.ts';
import { isEqual } from '../values/equal.ts';

/** The most warehouses of a store that have a name, a code or a country. Stock may mention any number of others. */
export const MAX_WAREHOUSES = 1_000;
export const MAX_WAREHOUSE_NAME = 100;
export const MAX_WAREHOUSE_CODE = 50;

export const WAREHOUSE = resource(
  'Warehouse',
  {
    id: id({ example: 8, about: 'The `warehouseId` of its stock.' }),
    name: text({ example: 'Main warehouse', about: 'Its id, if the merchant has given it no name.' }),
    code: text({ orNull: true, example: 'MAIN', about: "The merchant's own short name." }),
    country: text({ orNull: true, example: 'DE', about: 'The country of its address, by ISO 3166-1 alpha-2.' }),
  },
  'A place of stock.',
);

export type Warehouse = Resource<typeof WAREHOUSE>;

/** A description by the merchant. The name is null where the warehouse has only its id. */
export type StoredWarehouse = Omit<Warehouse, 'name'> & { readonly name: string | null };

/** A warehouse as readers see it. */
export const shownWarehouse = ({ id: own, name, code, country }: StoredWarehouse): Warehouse => ({
  ...{ id: own, name: name ?? own, code, country },
});

/** The name of the warehouse with an id. */
export type WarehouseNames = (id: string) => string;

export const warehouseNames = (stored: readonly StoredWarehouse[]): WarehouseNames => {
  const names = new Map(stored.map((one) => [one.id, one.name]));
  return (given) => names.get(given) ?? given;
};

/** A field that is left out stays. Null clears it. */
export interface WarehouseChange extends Pick<Warehouse, 'id'> {
  readonly name?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly country?: string | null | undefined;
}

export interface WarehouseReport {
  /** The warehouses that the request names, in its order, as they are now. */
  readonly items: readonly Warehouse[];
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Warehouses that have nothing but their id now. */
  readonly removed: number;
}

interface WarehouseWrites {
  readonly saved: readonly StoredWarehouse[];
  readonly removed: readonly string[];
  readonly report: WarehouseReport;
}

const MOST = MAX_WAREHOUSES.toLocaleString('en');

/** Refuses a warehouse that the request names twice. */
const checkNamedOnce = (changes: readonly WarehouseChange[]): Refusal<'invalid'> | null => {
  const places = new Map<string, number>();
  for (const [at, { id: own }] of changes.entries()) {
    const first = places.get(own);
    if (first === undefined) {
      places.set(own, at);
      continue;
    }
    const [place, message] = [`warehouses[${String(at)}].id`, `is the one of warehouses[${String(first)}]`];
    return refuse('invalid', `${place}: ${message}`, { [place]: [message] });
  }
  return null;
};

const saysNothing = ({ name, code, country }: StoredWarehouse): boolean => name === null && code === null && country === null;

const changed = (
  { name = null, code = null, country = null }: Partial<StoredWarehouse>,
  change: WarehouseChange,
): StoredWarehouse => ({
  id: change.id,
  name: change.name === undefined ? name : change.name,
  code: change.code === undefined ? code : change.code,
  country: change.country === undefined ? country : change.country,
});

/** Decides what a request changes of the stored warehouses. It changes only those that it names. */
export const decideWarehouses = (
  changes: readonly WarehouseChange[],
  stored: readonly StoredWarehouse[],
): Result<WarehouseWrites, 'invalid'> => {
  const twice = checkNamedOnce(changes);
  if (twice) return twice;
  const before = new Map(stored.map((one) => [one.id, one]));
  const after = changes.map((change) => changed(before.get(change.id) ?? {}, change));
  const isKnown = ({ id: own }: StoredWarehouse): boolean => before.has(own);
  const removed = after.filter((one) => saysNothing(one) && isKnown(one)).map(({ id: own }) => own);
  const saved = after.filter((one) => !saysNothing(one) && !isEqual(before.get(one.id), one));
  const created = saved.filter((one) => !isKnown(one)).length;
  const count = stored.length + created - removed.length;
  if (created > 0 && count > MAX_WAREHOUSES) {
    const message = `would make ${count.toLocaleString('en')} warehouses with a name, a code or a country; a store has at most ${MOST}`;
    return refuse('invalid', `warehouses: ${message}`, { warehouses: [message] });
  }
  const report = {
    items: after.map(shownWarehouse),
    created,
    updated: saved.length - created,
    unchanged: after.length - saved.length - removed.length,
    removed: removed.length,
  };
  return ok({ saved, removed, report });
};
