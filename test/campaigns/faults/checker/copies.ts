import { isDeepStrictEqual } from 'node:util';

import { COPYING, type DeliveryHistory, type EventRow, type History, type Rows } from '../history.ts';
import { deliveredTo, eventsIn } from './options.ts';
import { violation, type Violation } from './violation.ts';

interface Body {
  readonly data: { readonly id: string; readonly product?: object | null };
}

/** The last state of each product that the bodies brought. A repeat, which may follow what came after it, brings nothing. */
const copyOf = (deliveries: readonly DeliveryHistory[]): Map<string, object | null> => {
  const seen = new Set<string>();
  const products = new Map<string, object | null>();
  for (const { eventId, body } of deliveries) {
    const { data } = JSON.parse(body) as Body;
    if (!seen.has(eventId) && data.product !== undefined) products.set(data.id, data.product);
    seen.add(eventId);
  }
  return products;
};

const checkCopies = (history: History, { products, shown }: Rows): Violation[] =>
  COPYING.flatMap((option) => deliveredTo(history, option)).flatMap(([subscription, deliveries]) => {
    const copy = copyOf(deliveries);
    const own = products.filter(({ storeId, id }) => storeId === subscription.storeId && copy.has(id));
    return own
      .filter(({ id }) => !isDeepStrictEqual(copy.get(id), shown.get(id) ?? null))
      .map(({ id }) => violation('copy differs', id, `the last that ${subscription.id} was sent of it is another state`));
  });

interface Stock {
  readonly data: {
    readonly variants: readonly { readonly productVariantId: string; readonly previous: number; readonly current: number }[];
    readonly warehouses: readonly {
      readonly productVariantId: string;
      readonly previous: { readonly available: number };
      readonly current: { readonly available: number };
    }[];
  };
}

const checkWarehouses = ({ id, body }: EventRow): Violation[] => {
  const { variants, warehouses } = (JSON.parse(body) as Stock).data;
  return variants.flatMap(({ productVariantId, previous, current }) => {
    const own = warehouses.filter((one) => one.productVariantId === productVariantId);
    const moved = own.reduce((sum, one) => sum + one.current.available - one.previous.available, 0);
    if (moved === current - previous) return [];
    const what = `the stock of ${productVariantId} went from ${String(previous)} to ${String(current)}, its warehouses by ${String(moved)}`;
    return [violation('copy differs', id, what)];
  });
};

/** The events that receivers with a copy got. */
export const copiedIn = (history: History): number =>
  COPYING.flatMap((option) => deliveredTo(history, option)).reduce(
    (sum, [, sent]) => sum + new Set(sent.flatMap(eventsIn)).size,
    0,
  );

/** Copies of the products that are made from bodies alone, and the stock by warehouse beside its totals. */
export const checkBodies = (history: History, rows: Rows): Violation[] => [
  ...checkCopies(history, rows),
  ...rows.events.filter(({ type }) => type === 'inventory.updated').flatMap(checkWarehouses),
];
