import { refuse, type Refusal } from '../result.ts';
import { isEqual } from '../values/equal.ts';
import { completeElements } from './element.ts';
import { VARIANT } from './fields/variant-fields.ts';
import type { Inventory, VariantDocument } from './product.ts';
import type { Completion } from './write-context.ts';

/** The most warehouses that a message names: 250 of these messages fit into an answer that can be replayed. */
const MAX_NAMED = 4;

/**
 * The warehouse of stock that names none: the only one that has stock of the variant, 0 included, or
 * without any, the one with the id of the store. Null where several have stock.
 */
export const unnamedWarehouse = (warehouseIds: readonly string[], storeId: string): string | null => {
  const [only = storeId, ...others] = warehouseIds;
  return others.length === 0 ? only : null;
};

/** Says which warehouses have stock of the variant. `advice` says where to name one. */
export const warehouseRequired = (warehouseIds: readonly string[], advice: string): Refusal<'warehouse_required'> => {
  const more = warehouseIds.length - MAX_NAMED;
  const named = warehouseIds.slice(0, MAX_NAMED).join(', ');
  const list = more > 0 ? `${named} and ${String(more)} more` : named;
  return refuse('warehouse_required', `The variant has stock in ${String(warehouseIds.length)} warehouses: ${list}. ${advice}`);
};

type GivenInventory = NonNullable<VariantDocument['inventory']>[number];

/** Returns the figures that follow from the given ones, out of available, onHand and reserved. */
const followingFigures = ({ available, onHand, reserved }: GivenInventory): readonly string[] => {
  if (available !== undefined) return onHand === undefined ? ['onHand'] : [];
  return onHand === undefined && reserved === undefined ? [] : ['available'];
};

const completeFigures = ({ available, onHand: given, reserved = 0 }: GivenInventory, warehouseId: string) => {
  const onHand = given ?? (available ?? 0) + reserved;
  return { available: available ?? onHand - reserved, onHand, reserved, warehouseId };
};

const figuresOf = ({ available, onHand, reserved, warehouseId }: Inventory) => ({ available, onHand, reserved, warehouseId });

const idsOf = (
  stock: readonly { readonly warehouseId?: string | undefined; readonly isDeleted?: boolean | undefined }[],
): string[] => stock.flatMap(({ warehouseId, isDeleted }) => (isDeleted || warehouseId === undefined ? [] : [warehouseId]));

const IN_A_FILE =
  'A quantity of a CSV file cannot name one: leave it blank, and set the stock of each warehouse by a document or a bulk update.';

interface Place {
  readonly id: string;
  readonly field: string;
}

/**
 * The warehouse of what names none. A document may name the others beside it, and a quantity of a file is
 * beside stock that is kept.
 */
const unnamedOf = (
  { storeId, faults }: Completion,
  { available, inventory = [] }: VariantDocument,
  current: readonly Inventory[],
  field: string,
): string => {
  const named = new Set(available === undefined ? idsOf(inventory) : []);
  const known = idsOf(current).filter((id) => !named.has(id));
  const found = unnamedWarehouse(known, storeId);
  if (found !== null) return found;
  const isNeeded = available !== undefined || inventory.some(({ warehouseId }) => warehouseId === undefined);
  const advice = available === undefined ? 'Name one in warehouseId.' : IN_A_FILE;
  if (isNeeded) faults.add(`${field}: ${warehouseRequired(known, advice).message}`);
  return storeId;
};

/** Stock that names its id is that of its warehouse. */
const knownById = (inventory: readonly GivenInventory[], current: readonly Inventory[]): readonly GivenInventory[] => {
  if (current.length === 0 || inventory.every(({ id, warehouseId }) => id === undefined || warehouseId !== undefined))
    return inventory;
  const known = new Map(current.map(({ id, warehouseId }) => [id, warehouseId]));
  return inventory.map((stock) => ({ ...stock, warehouseId: stock.warehouseId ?? known.get(stock.id ?? '') }));
};

/** The given stock. A given quantity takes the place of the stock in its warehouse. */
const givenInventory = ({ available, inventory = [] }: VariantDocument, unnamed: string): readonly GivenInventory[] => {
  if (available === undefined) return inventory;
  const own = { available, warehouseId: unnamed };
  const isOwn = ({ warehouseId = unnamed }: GivenInventory): boolean => warehouseId === unnamed;
  return inventory.some(isOwn) ? inventory.map((stock) => (isOwn(stock) ? own : stock)) : [...inventory, own];
};

export const completeInventory = (
  completion: Completion,
  document: VariantDocument,
  current: readonly Inventory[],
  { id, field }: Place,
): Inventory[] => {
  const { nextId } = completion;
  const variant = document.inventory ? { ...document, inventory: [...knownById(document.inventory, current)] } : document;
  const unnamed = unnamedOf(completion, variant, current, field);
  const elements = { given: givenInventory(variant, unnamed), current, field: `${field}.inventory`, parentId: id };
  const warehouseOf = ({ warehouseId = unnamed }: { readonly warehouseId?: string | undefined }): string => warehouseId;
  const figures = (stock: GivenInventory) => completeFigures(stock, warehouseOf(stock));
  return completeElements<Inventory, GivenInventory>(completion, VARIANT.fields.inventory, elements, {
    key: warehouseOf,
    follows: (stock) => ['concurrencyStamp', ...followingFigures(stock)],
    rules: {
      available: (stock) => figures(stock).available,
      onHand: (stock) => figures(stock).onHand,
      concurrencyStamp: (stock, { before }) => {
        const isSame = before && isEqual(figures(stock), figuresOf(before));
        return stock.concurrencyStamp ?? (isSame ? before.concurrencyStamp : nextId());
      },
      warehouseId: warehouseOf,
    },
  });
};
