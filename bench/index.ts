import { bulkContended, bulkHundred, bulkMost, bulkOne } from './cases/bulk.ts';
import { citus } from './cases/citus.ts';
import { collection } from './cases/collection.ts';
import { consolePaint } from './cases/console.ts';
import { deliveriesPage } from './cases/deliveries-page.ts';
import { deliveries } from './cases/deliveries.ts';
import { detail } from './cases/detail.ts';
import { feed } from './cases/feed.ts';
import { growth } from './cases/growth.ts';
import { half } from './cases/half.ts';
import { imports } from './cases/import.ts';
import { isolation } from './cases/isolation.ts';
import { latency } from './cases/latency.ts';
import { list } from './cases/list.ts';
import { medusa } from './cases/medusa.ts';
import { memory } from './cases/memory.ts';
import { nodes } from './cases/nodes.ts';
import { purge } from './cases/purge.ts';
import { refusals } from './cases/refusals.ts';
import { replay } from './cases/replay.ts';
import { slowDisk } from './cases/slow-disk.ts';
import { storage } from './cases/storage.ts';
import { subscriptions } from './cases/subscriptions.ts';
import { token } from './cases/token.ts';
import { tracing } from './cases/tracing.ts';
import { variants } from './cases/variants.ts';
import { walk } from './cases/walk.ts';
import { workers } from './cases/workers.ts';
import { readArguments } from '../test/campaigns/kit/arguments.ts';
import { openEnvironment } from './support/environment.ts';
import { profiled } from './support/profile.ts';
import { keep, machine, missesSpeed, print, type CaseOptions, type CaseResult, type Measured } from './support/report.ts';
import { openStage, type Stage } from './support/stage.ts';
import { builtIn } from './support/tenon.ts';

type Case = (options: CaseOptions) => Promise<CaseResult>;

/** Cases that use a stage. The short form opens one stage for all of them. */
const ON_STAGE: Readonly<Record<string, Case>> = {
  list,
  detail,
  half,
  token,
  'bulk-1': bulkOne,
  'bulk-100': bulkHundred,
  'bulk-250': bulkMost,
  'bulk-contended': bulkContended,
  variants,
  replay,
  collection,
  walk,
  import: imports,
  storage,
  nodes,
  workers,
  refusals,
};
const BY_THEMSELVES: Readonly<Record<string, Case>> = {
  growth,
  purge,
  memory,
  deliveries,
  'deliveries-page': deliveriesPage,
  console: consolePaint,
  latency,
  feed,
  subscriptions,
  tracing,
  isolation,
  'slow-disk': slowDisk,
};
const CASES = { ...ON_STAGE, ...BY_THEMSELVES };
/** Cases that need programs beyond Tenon's packages run by their names alone. */
const BY_NAME: Readonly<Record<string, Case>> = { citus, medusa };
const PAIRS = 7;

const USAGE = `npm run bench -- [case ...] [--short] [--pairs=<n>] [--against=<folder>]

All cases by default. --short keeps no results, nor does --against, which compares with another checkout
in which \`npm run build\` was run, in place of the ceilings.
`;
const {
  values,
  positionals: named,
  fail,
  positive,
} = readArguments(USAGE, {
  short: { type: 'boolean', default: false },
  pairs: { type: 'string' },
  against: { type: 'string' },
});
const { short } = values;
const against = values.against === undefined ? undefined : builtIn(values.against);
const pairs = positive('--pairs', values.pairs ?? String(short ? 1 : PAIRS));
const known = { ...CASES, ...BY_NAME };
const unknown = named.filter((name) => !(name in known));
if (unknown.length > 0) fail(`There is no case ${unknown.join(', ')}. The cases are: ${Object.keys(known).join(', ')}.`);

// The short form checks no figures, so cases may share a database. To start one for each would take longer than the cases.
let shared: Promise<Stage> | undefined;
const sharedStage = async (): Promise<Stage> => ({ ...(await (shared ??= openStage())), close: () => Promise.resolve() });
const stage = short ? sharedStage : () => openStage(against);

const versionOfPostgres = async (): Promise<string> => {
  const { pool, close } = short ? { ...(await stage()).environment, close: () => Promise.resolve() } : await openEnvironment();
  const { rows } = await pool.query<{ server_version: string }>('SHOW server_version');
  await close();
  return rows[0]?.server_version ?? '';
};

const versions = `Node ${process.versions.node}, PostgreSQL ${await versionOfPostgres()}`;
const measure = async (cases: Readonly<Record<string, Case>>): Promise<void> => {
  for (const [name, run] of Object.entries(cases)) {
    if (named.length > 0 ? !named.includes(name) : name in BY_NAME) continue;
    const result = await run({ short, pairs, stage, against });
    const keeps = !short && against === undefined;
    const profiles = keeps && missesSpeed(result) ? await profiled(() => run({ short, pairs: 1, stage })) : [];
    const date = new Date().toISOString();
    const measured: Measured = { name, ...result, date, machine: machine(), versions, pairs, profiles };
    print(measured);
    if (keeps) keep(measured);
  }
};
// The short form checks no figures, so its two groups run in parallel.
await Promise.all((short ? [{ ...ON_STAGE, ...BY_NAME }, BY_THEMSELVES] : [known]).map(measure));
await (await shared)?.close();
process.exit(0);
