import { parseUuid } from '../../../domain/values/uuid.ts';
import type { Installation, Page, Store } from '../../http/schemas/answers.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import type { AdminApi } from './admin-api.ts';
import { beginningWith, isBeginning } from './beginning.ts';

export const MOST_IN_A_PAGE = 250;

export async function* pages<T>(api: AdminApi, path: string): AsyncGenerator<T> {
  for (let skip = 0; ; skip += MOST_IN_A_PAGE) {
    const page = await api.get<Page<T>>(path, { skip, take: MOST_IN_A_PAGE });
    yield* page.items;
    if (skip + page.items.length >= page.total || page.items.length === 0) return;
  }
}

/** Array.fromAsync, which Node 20 does not have. */
export const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const gathered: T[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
};

/**
 * The store that a person means: by its id, the beginning of its id or its domain. When none is named, the only store there is.
 * Throws a CommandFailure that lists the choices.
 */
export const findStore = async (api: AdminApi, named: string | undefined): Promise<Store> => {
  const id = parseUuid(named);
  if (id !== null) return api.get<Store>(`/stores/${id}`);
  const seen: Store[] = [];
  for await (const store of pages<Store>(api, '/stores')) {
    if (store.domain === named?.toLowerCase()) return store;
    seen.push(store);
  }
  const begun = named !== undefined && isBeginning(named) ? beginningWith(seen, named) : undefined;
  if (begun) return begun;
  const [only] = seen;
  if (named !== undefined)
    throw new CommandFailure(`There is no store with the id or domain ${named}. See tenon store list.`, EXIT.notFound);
  if (only === undefined) throw new CommandFailure('There is no store yet. Create one with tenon store create.', EXIT.notFound);
  if (seen.length > 1) {
    const listed = seen
      .slice(0, 5)
      .map(({ domain }) => domain)
      .join(', ');
    throw new CommandFailure(
      `There are ${String(seen.length)} stores. Name one with --store: ${listed}${seen.length > 5 ? ', ...' : ''}.`,
      EXIT.usage,
    );
  }
  return only;
};

/**
 * The installation that a person means: by its id, the beginning of its id, its client id or its name in the store. An
 * uninstalled app is found by its id alone, since another app may have its name.
 */
export const findApp = async (api: AdminApi, named: string, store: string | undefined): Promise<Installation> => {
  const id = parseUuid(named);
  if (id !== null) return api.get<Installation>(`/apps/${id}`);
  const { id: storeId, domain } = await findStore(api, store);
  const apps: Installation[] = [];
  for await (const app of pages<Installation>(api, `/stores/${storeId}/apps`)) {
    if (app.clientId === named) return app;
    apps.push(app);
  }
  const found = apps.filter((app) => app.name === named && app.status !== 'Uninstalled');
  const [only = isBeginning(named) ? beginningWith(apps, named) : undefined] = found;
  if (only === undefined) throw new CommandFailure(`${domain} has no app ${named}. See tenon app list.`, EXIT.notFound);
  if (found.length > 1)
    throw new CommandFailure(`${domain} has ${String(found.length)} apps named ${named}. Name one by its id.`, EXIT.usage);
  return only;
};

export interface ScopeFlags {
  readonly store?: string | undefined;
  readonly app?: string | undefined;
}

export interface Scope {
  readonly storeId: string;
  /** Undefined: all that is in the store. */
  readonly installationId: string | undefined;
}

export const findScope = async (api: AdminApi, { store, app }: ScopeFlags): Promise<Scope> => {
  if (app === undefined) return { storeId: (await findStore(api, store)).id, installationId: undefined };
  const { id, storeId } = await findApp(api, app, store);
  return { storeId, installationId: id };
};
