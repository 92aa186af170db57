import type { Ports } from '../../domain/ports/index.ts';
import type { StoreChanges } from '../../domain/ports/store-repository.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import type { Store } from '../../domain/identity/store.ts';
import { resumeWork } from './resume-work.ts';
import type { ResumePorts } from './resume-work.ts';

/** A store that becomes Inactive loses every token at once: its apps exchange anew once it is active (app-api.md, Access token). */
export const updateStore =
  ({ stores, ...ports }: ResumePorts & Pick<Ports, 'stores'>) =>
  async (id: string, changes: StoreChanges): Promise<Result<Store, 'not_found' | 'conflict'>> => {
    const store = await stores.update(id, changes);
    if (store === null) return refuse('not_found', 'there is no such store');
    if (store === 'domain_taken') return refuse('conflict', `the domain ${changes.domain ?? ''} is taken by another store`);
    // What was held goes on.
    if (changes.status === 'Active') await resumeWork(ports)({ storeId: id });
    return ok(store);
  };
