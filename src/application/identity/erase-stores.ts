import type { Ports } from '../../domain/ports/index.ts';

/**
 * Erases at most `limit` rows, and then at most as many files, of the stores that are being erased.
 * Resolves to how many. It can stop anywhere: the next call, on any node, continues.
 * A file that cannot be removed keeps no other one, and fails the call at its end.
 */
export const eraseStores =
  ({ storeErasure, mediaStorage }: Pick<Ports, 'storeErasure' | 'mediaStorage'>) =>
  async (limit: number): Promise<number> => {
    const rows = await storeErasure.eraseRows(limit);
    const files = await storeErasure.files(limit);
    const removed: (typeof files)[number][] = [];
    const failures: unknown[] = [];
    for (const file of files) {
      await mediaStorage.remove(file.key).then(
        () => removed.push(file),
        (error: unknown) => failures.push(error),
      );
    }
    await storeErasure.forget(removed);
    if (failures.length > 0) throw failures[0];
    return rows + files.length;
  };
