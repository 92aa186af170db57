/** The rows of each store, in their order: a statement is about one store. */
export const byStore = <Row extends { readonly storeId: string | null }>(
  rows: Iterable<Row>,
): ReadonlyMap<Row['storeId'], readonly Row[]> => {
  const stores = new Map<Row['storeId'], Row[]>();
  for (const row of rows) {
    const own = stores.get(row.storeId);
    if (own) own.push(row);
    else stores.set(row.storeId, [row]);
  }
  return stores;
};
