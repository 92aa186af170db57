import { grouped } from './values/grouped.ts';

/** The rows of each store, in their order: a statement is about one store. */
export const byStore = <Row extends { readonly storeId: string | null }>(
  rows: Iterable<Row>,
): ReadonlyMap<Row['storeId'], readonly Row[]> => grouped(rows, ({ storeId }): Row['storeId'] => storeId);
