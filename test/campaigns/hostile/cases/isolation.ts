import { createHash } from 'node:crypto';
import pg from 'pg';

import { startTenon } from '../../../../bench/support/tenon.ts';
import { ENFORCED_SCOPES } from '../../../../src/domain/identity/scope.ts';
import { until } from '../../faults/until.ts';
import type { Case } from '../support/campaign.ts';
import { authenticatedOperations, nameOf, operations, type Operation } from '../support/operations.ts';
import type { Answer, Attacker } from '../support/attacker.ts';
import { idsIn, installApp, openShop, pathOf, type App, type Shop } from '../support/shop.ts';
import { asApp, openSite, type Site } from '../support/site.ts';

const APPS = 3;
const own = authenticatedOperations.filter(({ side }) => side === 'app');
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

interface Party {
  readonly shop: Shop;
  readonly app: App;
}

/** The documents' own example, about this store's first product. */
const bodyOf = ({ bodies }: Operation, { shop }: Party): string | undefined => {
  const example = Object.values(bodies)[0]?.example;
  return example === undefined ? undefined : JSON.stringify(example).replaceAll(UUID, shop.products[0] ?? '');
};

const isAllOf = (operation: Operation): boolean => !operation.path.includes('{');
const isOfStore = ({ path }: Operation): boolean => path.includes('/catalog/') || path.includes('/events');

/**
 * Every table's rows that belong to a store or an installation, as one hash for each store. Found
 * in the schema, so that a new table counts.
 */
const stateOf = async (pool: pg.Pool, { shop }: Party): Promise<string> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT DISTINCT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name IN ('store_id', 'installation_id')",
  );
  const hash = createHash('sha256');
  // Keys are the caller's own matter: each of its requests leaves one. A refusal is logged in the store whose domain was called.
  for (const { name } of tables.filter((table) => !/idempotency|tokens|request_log|figures/.test(table.name))) {
    const { rows } = await pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t ORDER BY 1`);
    const ids = [shop.id, ...shop.apps.map(({ installationId }) => installationId)];
    hash.update(rows.flatMap(({ row }) => (ids.some((id) => row.includes(id)) ? [row] : [])).join('\n'));
  }
  return hash.digest('hex');
};

/**
 * Nothing that carries another's mark may be in the answer: of another store nothing at all, of
 * another app nothing but what is the store's.
 */
const judge = (attacker: Attacker, operation: Operation, caller: Party, others: readonly Party[], answer: Answer): void => {
  for (const { shop, app } of others) {
    const marks = [...(shop === caller.shop ? [] : [shop.mark]), ...(app === caller.app ? [] : [app.mark])];
    for (const mark of marks) {
      if (answer.body.includes(mark)) attacker.violate('leak', `${mark} in the answer to ${nameOf(operation)} of another`);
    }
  }
};

interface Attempt {
  readonly operation: Operation;
  /** Who calls, on whose domain, about whose things. */
  readonly caller: Party;
  readonly domain: Shop;
  readonly target: Party;
}

/**
 * The expected status: 401 on another store's domain, and on a route that takes no token; 404, or a refusal of each product, for
 * another's resource; the normal status otherwise.
 */
const wantedOf = ({ operation, caller, domain, target }: Attempt): readonly number[] => {
  if (domain !== caller.shop || operation.isOfDeveloper) return [401];
  const isForeign = target.shop !== caller.shop || (target.app !== caller.app && !isOfStore(operation));
  // An entry's path names a handle, which each app has for itself; a list has no target.
  const done = operation.statuses.filter((status) => status < 300);
  // An attempt before this one may have deleted the caller's own entry.
  if (operation.path.includes('{handle}') && operation.method !== 'PUT') return [...done, 404];
  if (!isForeign || !operation.path.includes('{id}')) return done;
  return [404];
};

/** Required queries. */
const QUERIES: Readonly<Record<string, string>> = { '/apps/catalog/variants': '?sku=none' };

const attempt = async (site: Site, it: Attempt, all: readonly Party[]): Promise<void> => {
  const { operation, caller, domain, target } = it;
  const ask = asApp(site, domain, caller.app);
  const path = `${pathOf(operation.path, idsIn(operation, target.shop, target.app))}${QUERIES[operation.path] ?? ''}`;
  const what = `an app of ${caller.shop === target.shop ? 'the same' : 'another'} store`;
  const answer = await ask(operation.method, path, bodyOf(operation, target), { what, wanted: wantedOf(it) });
  if (answer.status === 401 && answer.body !== '')
    site.attacker.violate('wrong answer', `a 401 of ${nameOf(operation)} has a body`);
  judge(site.attacker, operation, caller, all, answer);
};

/** The app's own deletions come last, because deleted resources cannot be tested. */
const byHarm = (one: Operation, other: Operation): number => Number(one.method === 'DELETE') - Number(other.method === 'DELETE');

/**
 * Each app against the things of each other one: on the other's domain and on its own. The victim's
 * rows stay as they were.
 */
const foreign = async (site: Site, pool: pg.Pool, parties: readonly Party[]): Promise<number> => {
  let count = 0;
  for (const target of parties) {
    const before = await stateOf(pool, target);
    for (const caller of parties.filter(({ shop }) => shop !== target.shop)) {
      for (const operation of own) {
        await attempt(site, { operation, caller, domain: target.shop, target }, parties);
        if (!isAllOf(operation) || operation.method !== 'GET')
          await attempt(site, { operation, caller, domain: caller.shop, target }, parties);
        count += 2;
      }
    }
    if ((await stateOf(pool, target)) !== before)
      site.attacker.violate('wrong answer', `another store changed ${target.shop.mark}`);
  }
  return count;
};

/** Each app about its own things and those of its siblings. */
const domestic = async (site: Site, parties: readonly Party[]): Promise<number> => {
  let count = 0;
  for (const operation of [...own].sort(byHarm)) {
    for (const caller of parties) {
      const siblings = parties.filter(({ shop, app }) => shop === caller.shop && app !== caller.app);
      for (const target of [...siblings, caller]) {
        await attempt(site, { operation, caller, domain: caller.shop, target }, parties);
        count += 1;
      }
    }
  }
  return count;
};

/**
 * Scope sets: none that counts here, each one alone, all but each one. 403 with an empty body where
 * the route's own is not covered, and 401 where it takes no token.
 */
const scopes = async (site: Site, shop: Shop): Promise<number> => {
  const sets = [
    ['read_customers'],
    ...ENFORCED_SCOPES.map((scope) => [scope]),
    // A write scope brings its read scope.
    ...ENFORCED_SCOPES.map((scope) =>
      ENFORCED_SCOPES.filter((other) => other !== scope && other !== scope.replace('read_', 'write_')),
    ),
  ];
  for (const set of sets) {
    const made = await installApp(site, shop, set);
    const app: App = { ...shop.apps[0]!, ...made };
    const covered = new Set(set.flatMap((scope) => [scope, scope.replace('write_', 'read_')]));
    for (const operation of own) {
      const path = pathOf(operation.path, idsIn(operation, shop, app));
      // The feed has no scope of its own: each event needs the scope of its type.
      const isCovered = operation.scopes.length === 0 || operation.scopes.some((scope) => covered.has(scope));
      const may = isCovered && !operation.isOfDeveloper;
      const refusal = operation.isOfDeveloper ? 401 : 403;
      const wanted = may ? operation.statuses.filter((status) => status !== 403 && status !== 401) : [refusal];
      const what = `an app with ${set.join(' ')}`;
      const answer = await asApp(site, shop, app)(operation.method, path, bodyOf(operation, { shop, app }), { what, wanted });
      if (answer.status === 403 && answer.body !== '')
        site.attacker.violate('wrong answer', `a 403 of ${nameOf(operation)} has a body`);
    }
  }
  return sets.length * own.length;
};

/** Lets a worker give each event its place in the feed. */
const fanOut = async (site: Site, pool: pg.Pool): Promise<void> => {
  const worker = await startTenon(site.databaseUrl, { ROLE: 'worker' });
  const isDone = await until(async () => (await pool.query('SELECT FROM pending_events LIMIT 1')).rowCount === 0, 60_000);
  if (!isDone) throw new Error('The worker did not fan out the events');
  await worker.stop();
};

/**
 * Every route of the app API, of two stores with three apps each, against each other, and with
 * every set of scopes that could let it in by mistake.
 */
export const isolation: Case = {
  about: 'Every app route, called across 2 stores, 3 apps and all sets of scopes.',
  run: async ({ environment, attacker }) => {
    // Background work would change rows while they are compared.
    const site = await openSite(environment, attacker, { ROLE: 'api' });
    const pool = new pg.Pool({ connectionString: site.databaseUrl, max: 2 });
    const shops = [await openShop(site, operations, APPS), await openShop(site, operations, APPS)];
    await fanOut(site, pool);
    const parties = shops.flatMap((shop) => shop.apps.map((app) => ({ shop, app })));
    const counts = {
      'across stores': await foreign(site, pool, parties),
      'within a store': await domestic(site, parties),
      'scope sets': await scopes(site, shops[0]!),
    };
    await pool.end();
    await site.stop();
    return { routes: own.length, ...counts };
  },
};
