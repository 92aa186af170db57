import { openDatabase, type Database } from '../../prisma/connection/database.ts';
import { poolerFault } from '../../prisma/connection/pooling.ts';
import { deliverySweeps } from '../../prisma/webhooks/delivery-sweeps.ts';
import { systemClock } from '../../node/clock.ts';
import { timeOrderedIds } from '../../node/ids.ts';
import type { Config } from '../settings/config.ts';
import { checkClock, checkConnections, checkDatabase, checkMigrations } from './database-checks.ts';
import { failed, skipped, type Check, type Finding, type Found } from './finding.ts';
import { checkDisk, checkNode, checkProxies } from './machine-checks.ts';
import { checkQueue } from './queue-check.ts';
import { reachFault } from './reach-faults.ts';
import { checkReplication } from './replication-check.ts';
import { checkMedia, checkOutgoingProxy, checkRedis } from './reach-checks.ts';
import { checkSecrets } from './secrets-check.ts';
import { checkBreakers, checkDue } from './work-checks.ts';
import { messageOf } from '../../../domain/values/error.ts';

const oneLine = (error: unknown): string => messageOf(error).split('\n', 1)[0] ?? '';

/** A check that fails in a way that it does not know is a finding as well: the others still run. */
const runCheck = async (check: string, run: Check): Promise<Finding> => {
  try {
    return { check, ...(await run()) };
  } catch (error) {
    return { check, ...failed(oneLine(error), 'See the message and the log of the server.') };
  }
};

export interface Patient {
  readonly config: Config;
  readonly databaseUrl: { readonly ok: true; readonly value: string } | { readonly ok: false; readonly message: string };
  readonly nodeVersion: string;
}

const databaseChecks = (database: Database, { config, databaseUrl }: Patient): readonly (readonly [string, Check])[] => {
  const deliveries = deliverySweeps(database, { clock: systemClock, ids: timeOrderedIds(systemClock) });
  return [
    ['clock', () => checkClock(database, () => Date.now())],
    ['connections', () => checkConnections(database, config)],
    ['replication', () => checkReplication(database, databaseUrl.ok ? databaseUrl.value : '', config)],
    ['migrations', () => checkMigrations(database)],
    ['secret keys', () => checkSecrets(database, config)],
    ['queue', () => checkQueue(config, databaseUrl.ok ? databaseUrl.value : '')],
    ['due deliveries', () => checkDue(deliveries)],
    ['receivers', () => checkBreakers(deliveries)],
  ];
};

/** What needs the tables, and so is not looked at without them. */
const NEED_TABLES: ReadonlySet<string> = new Set(['secret keys', 'queue', 'due deliveries', 'receivers']);

interface Reach {
  readonly isReached: boolean;
  readonly found: Found;
}

const checkReach = async (database: Database, databaseUrl: Patient['databaseUrl']): Promise<Reach> => {
  if (!databaseUrl.ok)
    return { isReached: false, found: failed(databaseUrl.message, 'Start the server once, or set DATABASE_URL.') };
  try {
    const fault = await poolerFault(databaseUrl.value);
    const remedy = 'Set pool_mode=session, or DATABASE_URL to PostgreSQL itself.';
    return { isReached: true, found: fault === null ? await checkDatabase(database) : failed(fault, remedy) };
  } catch (error) {
    return { isReached: false, found: reachFault(databaseUrl.value, error) };
  }
};

/** Why a check of the database is left out; null where it can be done. */
const whyNot = ({ isReached, found }: Reach, lacksTables: boolean): string | null => {
  if (!isReached) return 'not checked: the database cannot be reached';
  if (found.result !== 'ok') return 'not checked: the database cannot be used';
  return lacksTables ? 'not checked: the schema is not that of this version' : null;
};

async function* diagnoseDatabase(patient: Patient): AsyncGenerator<Finding> {
  const { databaseUrl } = patient;
  const url = databaseUrl.ok ? databaseUrl.value : '';
  const database = openDatabase({ url, name: 'tenon doctor', connections: 2, beginsEpoch: false });
  try {
    const reach = await checkReach(database, databaseUrl);
    yield { check: 'database', ...reach.found };
    const seen = new Map<string, Finding>();
    for (const [name, check] of databaseChecks(database, patient)) {
      const lacksTables = NEED_TABLES.has(name) && seen.get('migrations')?.result !== 'ok';
      const why = whyNot(reach, lacksTables);
      const finding = await runCheck(name, why === null ? check : () => skipped(why));
      seen.set(name, finding);
      yield finding;
    }
  } finally {
    await database.close();
  }
}

/** Looks at all that a server needs, and says what to do about each fault. It leaves everything as it was. */
export async function* diagnose(patient: Patient): AsyncGenerator<Finding> {
  const { config, nodeVersion } = patient;
  yield await runCheck('Node.js', () => checkNode(nodeVersion));
  yield* diagnoseDatabase(patient);
  yield await runCheck('Redis', () => checkRedis(config));
  yield await runCheck('disk', () => checkDisk(config));
  yield await runCheck('media', () => checkMedia(config));
  yield await runCheck('proxies', () => checkProxies(config));
  yield await runCheck('outgoing proxy', () => checkOutgoingProxy(config));
}
