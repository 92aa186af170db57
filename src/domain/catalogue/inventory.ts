import { isEqual } from '../values/equal.ts';
import { completeElements } from './element.ts';
import type { Inventory, Sketch } from './product.ts';
import type { WriteContext } from './write-context.ts';

type GivenInventory = Sketch<Inventory>;

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

/** The stock of one variant. A store that names no warehouse has one, which has the store's id. */
export const completeInventory = (
  context: WriteContext,
  given: readonly GivenInventory[] | undefined,
  current: readonly Inventory[],
  productVariantId: string,
): Inventory[] =>
  completeElements<Inventory, GivenInventory>(context, given, current, {
    key: ({ warehouseId }) => warehouseId ?? context.storeId,
    follows: (stock) => ['concurrencyStamp', ...followingFigures(stock)],
    complete: (stock, _id, _index, before) => {
      const figures = completeFigures(stock, context.storeId);
      const keptStamp = before && isEqual(figures, figuresOf(before)) ? before.concurrencyStamp : undefined;
      return {
        ...figures,
        concurrencyStamp: stock.concurrencyStamp ?? keptStamp ?? context.nextId(),
        productVariantId,
      };
    },
  });
