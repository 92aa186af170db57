import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import type { Erasure } from '../../domain/identity/store-erasure.ts';

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
