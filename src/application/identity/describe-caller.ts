import type { Caller } from '../../domain/identity/caller.ts';
import type { Scope } from '../../domain/identity/scope.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';

export interface CallerDescription {
  readonly store: { readonly id: string; readonly name: string; readonly domain: string };
  readonly installation: { readonly id: string; readonly name: string; readonly scopes: readonly Scope[] };
}

export const describeCaller =
  ({ installations, stores }: Pick<Ports, 'installations' | 'stores'>) =>
  async ({ storeId, installationId, scopes }: Caller): Promise<Result<CallerDescription, 'not_found'>> => {
    const [store, installation] = await Promise.all([stores.get(storeId), installations.get(storeId, installationId)]);
    if (store === null || installation === null) return notFound('Installation');
    const { id, name, domain } = store;
    return ok({ store: { id, name, domain }, installation: { id: installationId, name: installation.name, scopes } });
  };
