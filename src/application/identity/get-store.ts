import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import type { Store } from '../../domain/identity/store.ts';

export const getStore =
  ({ stores }: Pick<Ports, 'stores'>) =>
  async (id: string): Promise<Result<Store, 'not_found'>> => {
    const store = await stores.get(id);
    return store ? ok(store) : notFound('Store');
  };
