import { createAdminApi, type AdminApi } from './admin/admin-api.ts';
import { findConnection } from './admin/connection.ts';
import { isIdPrefix } from './admin/id-prefix.ts';
import { findStore, MOST_IN_A_PAGE } from './admin/find.ts';
import type { CliContext } from './context.ts';
import type { EventSamples, Installation, ListPage, Operator, PlatformApp, Store, WatchedSubscription } from '../http/answers.ts';

interface Asked {
  readonly api: AdminApi;
  /** Beginning of the value; undefined where nothing is typed yet. */
  readonly q: string | undefined;
  /** The value of a flag in the words so far. */
  readonly flag: (name: string) => string | undefined;
}

/** Completes a value for a shell. */
export type ProposeCompletions = (this: CliContext, partial: string) => Promise<readonly string[]>;

const NEWEST = 20;
/** A shell waits for the lists of these. */
const SEARCHED_STORES = 20;

const flagIn =
  (words: readonly string[]) =>
  (name: string): string | undefined => {
    const at = words.indexOf(`--${name}`);
    return at === -1 ? words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) : words[at + 1];
  };

/** Values of the server. Without one, or without a token, there is nothing to offer, and a shell shows no error. */
const valuesOf = (list: (asked: Asked) => Promise<readonly string[]>): ProposeCompletions =>
  async function (partial) {
    try {
      const flag = flagIn(this.words ?? []);
      const connection = await findConnection(this.process.env, { adminUrl: flag('admin-url'), profile: flag('profile') });
      const values = await list({ api: createAdminApi(connection), q: partial || undefined, flag });
      return values.filter((value) => value.startsWith(partial));
    } catch {
      return [];
    }
  };

const firstPage = async <T>({ api, q }: Asked, path: string): Promise<readonly T[]> =>
  (await api.get<ListPage<T>>(path, { q, take: MOST_IN_A_PAGE })).items;

const inStore = async ({ api, flag }: Asked, path: string): Promise<string> =>
  `/stores/${(await findStore(api, flag('store'))).id}${path}`;

export const storeDomains = valuesOf(async (asked) => (await firstPage<Store>(asked, '/stores')).map(({ domain }) => domain));

const appsOf = async (asked: Asked, storeId: string): Promise<readonly Installation[]> =>
  (await firstPage<Installation>(asked, `/stores/${storeId}/apps`)).filter(({ status }) => status !== 'Uninstalled');

/** The names in the store. Where there are several stores and none is named, the ids: an id says which store an app is in. */
export const appNames = valuesOf(async (asked) => {
  const { items, total } = await asked.api.get<ListPage<Store>>('/stores', { take: SEARCHED_STORES });
  if (asked.flag('store') !== undefined || total <= 1) {
    const { id } = await findStore(asked.api, asked.flag('store'));
    return (await appsOf(asked, id)).map(({ name }) => name);
  }
  // A list is not searched for less of an id.
  const byId = { ...asked, q: asked.q !== undefined && isIdPrefix(asked.q) ? asked.q : undefined };
  return (await Promise.all(items.map(({ id }) => appsOf(byId, id)))).flat().map(({ id }) => id);
});

export const operatorNames = valuesOf(async (asked) => {
  const operators = await firstPage<Operator>(asked, '/operators');
  return operators.filter(({ endedAt }) => endedAt === null).map(({ name }) => name);
});

export const platformAppNames = valuesOf(async (asked) =>
  (await firstPage<PlatformApp>(asked, '/platform-apps')).map(({ name }) => name),
);

/** The newest ids of a list that has them in `items`. */
const newestIds = (path: string, query: Readonly<Record<string, string>> = {}): ProposeCompletions =>
  valuesOf(async (asked) => {
    const found = await asked.api.get<{ readonly items: readonly { readonly id: string }[] }>(await inStore(asked, path), {
      ...query,
      take: NEWEST,
    });
    return found.items.map(({ id }) => id);
  });

export const deliveryIds = newestIds('/deliveries');
export const eventIds = newestIds('/events', { order: 'newest' });
export const requestIds = newestIds('/requests');

export const subscriptionIds = valuesOf(async (asked) => {
  const found = await firstPage<WatchedSubscription>(asked, await inStore(asked, '/subscriptions'));
  return found.map(({ id }) => id);
});

export const triggeredTypes = valuesOf(async ({ api }) => {
  const { items } = await api.get<EventSamples>('/events/samples');
  return items.map(({ type }) => type);
});
