import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

import { CITUS_BINARIES, citusAvailable } from '../../test/support/citus-available.ts';
import { startCitus } from '../../test/support/citus.ts';
import { startOtherPostgres } from '../../test/support/other-postgres.ts';
import { fillCatalogue, productIds } from '../support/catalogue.ts';
import { startChild, type Child } from '../support/child.ts';
import type { Plan } from '../support/load.ts';
import { cpuMs } from '../support/process.ts';
import { named, type CaseOptions, type CaseResult, type Figure } from '../support/report.ts';
import { bulkHeaders, keepPlan, openTenant, sendPlan, type Tenant } from '../support/stage.ts';
import { spreadOf } from '../support/statistics.ts';
import { startTenon, type Tenon } from '../support/tenon.ts';

const PRODUCTS = 1_000;
/** Requests are sent one at a time: the case measures cost and time of a request. */
const CONNECTIONS = 1;
const AMOUNT = { full: 400, short: 4 };

/** A server with its database: one PostgreSQL, or a coordinator with two workers. */
interface Side {
  readonly name: string;
  readonly tenon: Tenon;
  /** The server that the nodes ask. */
  readonly pid: number;
  readonly plans: Readonly<Record<string, Plan>>;
  close(): Promise<void>;
}

interface Database {
  readonly url: string;
  readonly pid: number;
  close(): Promise<unknown>;
}

const plansFor = (tenant: Tenant, ids: readonly string[]): Readonly<Record<string, Plan>> => {
  const headers = bulkHeaders(tenant);
  const get = (path: string) => ({ method: 'GET', path, headers: tenant.headers }) as const;
  const [known = ''] = ids;
  const body = JSON.stringify({ products: [{ id: known, metaTitle: 'Replayed' }] });
  const replayed = {
    method: 'POST',
    path: '/apps/catalog/products/bulk',
    headers: { ...headers, 'idempotency-key': 'replayed' },
    body,
  } as const;
  return {
    'detail from memory': { inTurn: ids.slice(0, 20).map((id) => get(`/apps/catalog/products/${id}`)) },
    list: { inTurn: [get('/apps/catalog/products?take=20')] },
    replay: { inTurn: [replayed] },
    'bulk of 1': { bulk: { headers, ids, size: 1, slugShare: 0 } },
    'bulk of 100': { bulk: { headers, ids, size: 100, slugShare: 0 } },
  };
};

/** Goals of cost and time, relative to one PostgreSQL. */
const GOALS: Readonly<Record<string, { readonly cost?: number; readonly time?: number }>> = {
  'detail from memory': { cost: 1, time: 1.5 },
  replay: { cost: 1, time: 1.5 },
  'bulk of 1': { time: 2 },
  'bulk of 100': { cost: 0.5 },
};

const openSide = async (name: string, { url, pid, close }: Database): Promise<Side> => {
  const tenon = await startTenon(url, { ROLE: 'api' });
  const tenant = await openTenant(tenon);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  await fillCatalogue(pool, tenant.storeId, PRODUCTS);
  await pool.query('VACUUM ANALYZE');
  const plans = plansFor(tenant, await productIds(pool, tenant.storeId, PRODUCTS));
  await pool.end();
  return {
    name,
    tenon,
    pid,
    plans,
    close: async () => {
      await tenon.stop();
      await close();
    },
  };
};

/** Starts the same major version without Citus. */
const openPlain = async (folder: string): Promise<Database> => {
  const server = await startOtherPostgres(CITUS_BINARIES, join(folder, 'plain'));
  return { url: server.url, pid: server.pid(), close: () => server.end('SIGQUIT') };
};

const openCoordinator = async (folder: string): Promise<Database> => {
  const { coordinator, stop } = await startCitus(join(folder, 'citus'));
  return { url: coordinator.url, pid: coordinator.pid(), close: stop };
};

interface Round {
  readonly p50: number;
  /** Milliseconds of processor time a request, of the server that is asked. */
  readonly cost: number;
}

const roundOf = async (load: Child, { name, tenon, pid }: Side, kind: string, amount: number): Promise<Round> => {
  const before = cpuMs(pid);
  const { p50, errors } = await sendPlan(load, {
    plan: `${name}: ${kind}`,
    urls: [tenon.url],
    connections: CONNECTIONS,
    amount,
  });
  if (errors > 0) throw new Error(`${name}: ${kind}: ${String(errors)} errors`);
  return { p50, cost: (cpuMs(pid) - before) / amount };
};

/** Measures cost and time of a request on the coordinator of a Citus cluster, beside one PostgreSQL. */
export const citus = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  if (!citusAvailable) throw new Error('Citus is not installed for PostgreSQL 15. See docs/citus.md.');
  const folder = await mkdtemp(join(tmpdir(), 'tenon-bench-citus-'));
  const load = startChild('support/load.ts');
  const plain = await openSide('plain', await openPlain(folder));
  const spread = await openSide('Citus', await openCoordinator(folder));
  const amount = short ? AMOUNT.short : AMOUNT.full;
  const figures: Figure[] = [];
  for (const kind of Object.keys(plain.plans)) {
    for (const side of [plain, spread]) {
      const plan = side.plans[kind];
      if (plan) await keepPlan(load, `${side.name}: ${kind}`, plan);
      await roundOf(load, side, kind, amount);
    }
    const rounds: { readonly one: Round; readonly other: Round }[] = [];
    for (let pair = 0; pair < pairs; pair += 1)
      rounds.push({ one: await roundOf(load, plain, kind, amount), other: await roundOf(load, spread, kind, amount) });
    const { cost, time } = GOALS[kind] ?? {};
    const ratioOf = (figure: keyof Round) => spreadOf(rounds.map(({ one, other }) => other[figure] / one[figure]));
    figures.push(
      ...named(kind, [
        {
          name: 'processor time of the coordinator to that of one PostgreSQL',
          unit: 'ratio',
          ...(cost && { most: cost }),
          ...ratioOf('cost'),
        },
        { name: 'median time to that with one PostgreSQL', unit: 'ratio', ...(time && { most: time }), ...ratioOf('p50') },
        { name: 'median time', unit: 'ms', ...spreadOf(rounds.map(({ other }) => other.p50)) },
        { name: 'median time with one PostgreSQL', unit: 'ms', ...spreadOf(rounds.map(({ one }) => one.p50)) },
      ]),
    );
  }
  await load.stop();
  for (const side of [plain, spread]) await side.close();
  await rm(folder, { recursive: true, force: true });
  return {
    about: `One request at a time of a store with ${String(PRODUCTS)} products, on a coordinator of Citus 13.2.2 with two workers and on one PostgreSQL 15 without it, all on one machine. The worker's share of a request is not counted.`,
    figures,
  };
};
