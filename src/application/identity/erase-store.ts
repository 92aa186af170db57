import type { Erasure } from '../../domain/identity/store.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';

/**
 * Has a store erased with everything it has. The domain is asked for again, so that a wrong id
 * erases nothing.
 */
export const eraseStore =
  ({ storeErasure }: Pick<Ports, 'storeErasure'>) =>
  async (id: string, domain: string): Promise<Result<Erasure, 'not_found' | 'conflict'>> => {
    const erasure = await storeErasure.accept(id, domain);
    if (erasure === null) return notFound('Store');
    return erasure === 'other_domain'
      ? refuse('conflict', 'The store does not have this domain. Nothing was erased.')
      : ok(erasure);
  };

/** A store that is being erased accepts and sends nothing. */
export const isBeingErased =
  ({ storeErasure }: Pick<Ports, 'storeErasure'>) =>
  async (storeId: string): Promise<boolean> =>
    (await storeErasure.open()).includes(storeId);

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
