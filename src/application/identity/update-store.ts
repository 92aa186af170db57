import type { Ports } from '../../domain/ports/index.ts';
import type { StoreChanges } from '../../domain/ports/identity/store-repository.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { Store } from '../../domain/identity/store.ts';
import { domainTaken } from './domain-taken.ts';
import { resumeWork, type ResumePorts } from './resume-work.ts';

/**
 * A store that becomes Inactive loses every token. Its apps get new ones when it is Active again
 * (docs/specification/credentials.md, "Access tokens").
 */
export const updateStore =
  ({ stores, ...ports }: ResumePorts & Pick<Ports, 'stores'>) =>
  async (id: string, changes: StoreChanges): Promise<Result<Store, 'not_found' | 'conflict'>> => {
    const store = await stores.update(id, changes);
    if (store === null) return notFound('Store');
    if (store === 'domain_taken') return domainTaken(changes.domain ?? '');
    if (changes.status === 'Active') await resumeWork(ports)({ storeId: id });
    return ok(store);
  };
