import { NEEDS_ALL_STORES, type Actor } from '../../domain/identity/operator.ts';
import { isReservedDomain, reservedDomain } from '../../domain/identity/sandbox.ts';
import { DEFAULT_CURRENCY, type Store } from '../../domain/identity/store.ts';
import type { StoreChanges } from '../../domain/ports/identity/store-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { refuse, type Refusal, ok, type Result, notFound } from '../../domain/result.ts';
import { resumeWork, type ResumePorts } from './resume-work.ts';

export const domainTaken = (domain: string): Refusal<'conflict'> =>
  refuse('conflict', `The domain ${domain} belongs to another store.`);

/** `domain` is in the spelling of parseDomain. By default it is also the store's name. */
export const createStore =
  ({ ids, stores }: Pick<Ports, 'ids' | 'stores'>, sandboxDomain: string | null) =>
  async (given: {
    domain: string;
    name?: string | undefined;
    currency?: string | undefined;
  }): Promise<Result<Store, 'conflict'>> => {
    const { domain, name = domain, currency = DEFAULT_CURRENCY } = given;
    if (isReservedDomain(domain, sandboxDomain)) return reservedDomain(domain);
    const store = await stores.create({ id: ids.next(), domain, name, currency });
    return store === 'domain_taken' ? domainTaken(domain) : ok(store);
  };

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

/** Both refuse the names that `sandboxDomain` keeps. */
export const storeChanges = (ports: Ports, sandboxDomain: string | null) => ({
  createStore: createStore(ports, sandboxDomain),
  updateStore: updateStore(ports, sandboxDomain),
});
