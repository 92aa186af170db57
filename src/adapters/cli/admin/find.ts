import { parseUuid } from '../../../domain/values/uuid.ts';
import type { Installation, ListPage, Store } from '../../http/answers.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import type { AdminApi, Query } from './admin-api.ts';
import { withIdPrefix, isIdPrefix } from './id-prefix.ts';

export const MOST_IN_A_PAGE = 250;

/** The whole of a list by creation that matches. */
export async function* pages<T>(api: AdminApi, path: string, query: Query = {}): AsyncGenerator<T> {
  let after: string | undefined;
  do {
    const { items, next } = await api.get<ListPage<T>>(path, { ...query, after, take: MOST_IN_A_PAGE });
    yield* items;
    after = next ?? undefined;
  } while (after !== undefined);
}

/** Array.fromAsync, which Node 20 does not have. */
export const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const gathered: T[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
};

const NAMED = 5;

const onlyStore = async (api: AdminApi): Promise<Store> => {
  const { items, total } = await api.get<ListPage<Store>>('/stores', { take: NAMED });
  const [only] = items;
  if (only === undefined) throw new CommandFailure('There is no store yet. Create one with tenon store create.', EXIT.notFound);
  if (total === 1) return only;
  const listed = items.map(({ domain }) => domain).join(', ');
  throw new CommandFailure(
    `There are ${String(total)} stores. Name one with --store: ${listed}${total > items.length ? ', ...' : ''}.`,
    EXIT.usage,
  );
};

/**
 * The store that a person means: by its id, the beginning of its id or its domain. When none is named, the only store there is.
 * Throws a CommandFailure that lists the choices.
 */
export const findStore = async (api: AdminApi, named: string | undefined): Promise<Store> => {
  if (named === undefined) return onlyStore(api);
  const id = parseUuid(named);
  if (id !== null) return api.get<Store>(`/stores/${id}`);
  const found = await all(pages<Store>(api, '/stores', { q: named }));
  const domain = named.toLowerCase();
  const [store = isIdPrefix(named) ? withIdPrefix(found, named) : undefined] = found.filter((one) => one.domain === domain);
  if (store) return store;
  throw new CommandFailure(`There is no store with the id or domain ${named}. See tenon store list.`, EXIT.notFound);
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
  for await (const app of pages<Installation>(api, `/stores/${storeId}/apps`, { q: named })) {
    if (app.clientId === named) return app;
    apps.push(app);
  }
  const found = apps.filter((app) => app.name === named && app.status !== 'Uninstalled');
  const [only = isIdPrefix(named) ? withIdPrefix(apps, named) : undefined] = found;
  if (only === undefined) throw new CommandFailure(`${domain} has no app ${named}. See tenon app list.`, EXIT.notFound);
  if (found.length > 1)
    throw new CommandFailure(`${domain} has ${String(found.length)} apps named ${named}. Name one by its id.`, EXIT.usage);
  return only;
};

export interface ScopeFlags {
  readonly store?: string | undefined;
  readonly app?: string | undefined;
}

export interface FindScope {
  readonly storeId: string;
  /** Undefined: all that is in the store. */
  readonly installationId: string | undefined;
}

export const findScope = async (api: AdminApi, { store, app }: ScopeFlags): Promise<FindScope> => {
  if (app === undefined) return { storeId: (await findStore(api, store)).id, installationId: undefined };
  const { id, storeId } = await findApp(api, app, store);
  return { storeId, installationId: id };
};
