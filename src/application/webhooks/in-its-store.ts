import type { Located, Locator } from '../../domain/ports/locator.ts';

/** For a request that knows an id alone: what `work` returns for its store, or null where no store has it. */
export const inStoreOf = async <T>(
  locator: Locator,
  kind: Located,
  id: string,
  work: (storeId: string) => Promise<T | null>,
): Promise<T | null> => {
  const storeId = await locator.storeOf(kind, id);
  return storeId === null ? null : work(storeId);
};
