import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { DEFAULT_CURRENCY } from '../../domain/identity/store.ts';
import type { Store } from '../../domain/identity/store.ts';

/** `domain` in the spelling of parseDomain. The name is the domain unless told. */
export const createStore =
  ({ ids, stores }: Pick<Ports, 'ids' | 'stores'>) =>
  async (given: {
    domain: string;
    name?: string | undefined;
    currency?: string | undefined;
  }): Promise<Result<Store, 'conflict'>> => {
    const { domain, name = domain, currency = DEFAULT_CURRENCY } = given;
    const store = await stores.create({ id: ids.next(), domain, name, currency });
    return store === 'domain_taken' ? refuse('conflict', `the domain ${domain} is taken by another store`) : ok(store);
  };
