import { isEqual } from '../values/equal.ts';
import { completeElements } from './element.ts';
import { VARIANT } from './fields/variant-fields.ts';
import type { Inventory, VariantDocument } from './product.ts';
import type { Completion } from './write-context.ts';

type GivenInventory = NonNullable<VariantDocument['inventory']>[number];

/** Of available, onHand and reserved, the one that follows from the given ones. */
const followingFigures = ({ available, onHand, reserved }: GivenInventory): readonly string[] => {
  if (available !== undefined) return onHand === undefined ? ['onHand'] : [];
  return onHand === undefined && reserved === undefined ? [] : ['available'];
};

const completeFigures = ({ available, onHand: given, reserved = 0, warehouseId }: GivenInventory, storeId: string) => {
  const onHand = given ?? (available ?? 0) + reserved;
  return { available: available ?? onHand - reserved, onHand, reserved, warehouseId: warehouseId ?? storeId };
};

const figuresOf = ({ available, onHand, reserved, warehouseId }: Inventory) => ({ available, onHand, reserved, warehouseId });

/** The given stock. A given quantity takes the place of the own warehouse's stock. */
const givenInventory = ({ available, inventory = [] }: VariantDocument, storeId: string): readonly GivenInventory[] => {
  if (available === undefined) return inventory;
  const own = { available };
  const isOwn = ({ warehouseId = storeId }: GivenInventory): boolean => warehouseId === storeId;
  return inventory.some(isOwn) ? inventory.map((stock) => (isOwn(stock) ? own : stock)) : [...inventory, own];
};

/** The stock of one variant. A store that names no warehouse has one, which has the store's id. */
export const completeInventory = (
  completion: Completion,
  variant: VariantDocument,
  current: readonly Inventory[],
  { id, field }: { readonly id: string; readonly field: string },
): Inventory[] => {
  const { storeId, nextId } = completion;
  const elements = { given: givenInventory(variant, storeId), current, field: `${field}.inventory`, parentId: id };
  return completeElements<Inventory, GivenInventory>(completion, VARIANT.fields.inventory, elements, {
    key: ({ warehouseId }) => warehouseId ?? storeId,
    follows: (stock) => ['concurrencyStamp', ...followingFigures(stock)],
    rules: {
      available: (stock) => completeFigures(stock, storeId).available,
      onHand: (stock) => completeFigures(stock, storeId).onHand,
      concurrencyStamp: (stock, { before }) => {
        const isSame = before && isEqual(completeFigures(stock, storeId), figuresOf(before));
        return stock.concurrencyStamp ?? (isSame ? before.concurrencyStamp : nextId());
      },
      warehouseId: ({ warehouseId }) => warehouseId ?? storeId,
    },
  });
};
