import type { Ports } from '../../domain/ports/index.ts';
import type { StoreChanges } from '../../domain/ports/identity/store-repository.ts';
import { notFound, ok, type Refusal, type Result } from '../../domain/result.ts';
import type { Store } from '../../domain/identity/store.ts';
import { isReservedDomain, reservedDomain } from '../../domain/identity/sandbox.ts';
import { NEEDS_ALL_STORES, type Actor } from '../../domain/identity/operator.ts';
import { domainTaken } from './domain-taken.ts';
import { resumeWork, type ResumePorts } from './resume-work.ts';

/** A domain takes the requests that went elsewhere before, so another one is a matter of all stores. */
const moveRefusal = (
  before: string,
  domain: string,
  { storeIds, sandboxDomain }: Pick<Actor, 'storeIds'> & { readonly sandboxDomain: string | null },
): Refusal<'conflict' | 'forbidden'> | null => {
  if (domain === before) return null;
  if (storeIds !== null) return NEEDS_ALL_STORES;
  return isReservedDomain(domain, sandboxDomain) ? reservedDomain(domain) : null;
};

/**
 * A store that becomes Inactive loses every token. Its apps get new ones when it is Active again
 * (docs/specification/credentials.md, "Access tokens").
 */
export const updateStore =
  ({ stores, ...ports }: ResumePorts & Pick<Ports, 'stores'>, sandboxDomain: string | null) =>
  async (
    id: string,
    changes: StoreChanges,
    { storeIds = null }: Partial<Pick<Actor, 'storeIds'>> = {},
  ): Promise<Result<Store, 'not_found' | 'conflict' | 'forbidden'>> => {
    const before = changes.domain === undefined ? null : await stores.get(id);
    const refusal = before && moveRefusal(before.domain, changes.domain ?? before.domain, { storeIds, sandboxDomain });
    if (refusal !== null) return refusal;
    const store = await stores.update(id, changes);
    if (store === null) return notFound('Store');
    if (store === 'domain_taken') return domainTaken(changes.domain ?? '');
    if (changes.status === 'Active') await resumeWork(ports)({ storeId: id });
    return ok(store);
  };
