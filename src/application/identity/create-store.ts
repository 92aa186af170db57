import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Result } from '../../domain/result.ts';
import { DEFAULT_CURRENCY, type Store } from '../../domain/identity/store.ts';
import { isReservedDomain, reservedDomain } from '../../domain/identity/sandbox.ts';
import { domainTaken } from './domain-taken.ts';

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
