import type { Database } from '../../prisma/connection/database.ts';
import { openDatabase } from '../../prisma/connection/database.ts';
import { unreachable } from '../../prisma/connection/unreachable.ts';
import { deliverySweeps } from '../../prisma/webhooks/delivery-sweeps.ts';
import { systemClock } from '../../node/clock.ts';
import { timeOrderedIds } from '../../node/ids.ts';
import type { Config } from '../config.ts';
import { checkClock, checkConnections, checkDatabase, checkMigrations } from './database-checks.ts';
import { failed, skipped } from './finding.ts';
import type { Check, Finding } from './finding.ts';
import { checkDisk, checkNode, checkProxies } from './machine-checks.ts';
import { checkQueue } from './queue-check.ts';
import { checkMedia, checkOutgoingProxy, checkRedis } from './reach-checks.ts';
import { checkSecrets } from './secrets-check.ts';
import { checkBreakers, checkDue } from './work-checks.ts';

const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

/** A check that fails in a way that it does not know is a finding as well: the others still run. */
const runCheck = async (check: string, run: Check): Promise<Finding> => {
  try {
    return { check, ...(await run()) };
  } catch (error) {
    return { check, ...failed(oneLine(error), 'Read the message. The log of the server may say more.') };
  }
};

export interface Patient {
  readonly config: Config;
  /** The address of the database, or why there is none. */
  readonly databaseUrl: { readonly ok: true; readonly value: string } | { readonly ok: false; readonly message: string };
  readonly nodeVersion: string;
}

const databaseChecks = (database: Database, { config, databaseUrl }: Patient): readonly (readonly [string, Check])[] => {
  const deliveries = deliverySweeps(database, { clock: systemClock, ids: timeOrderedIds(systemClock) });
  return [
    ['clock', () => checkClock(database, () => Date.now())],
    ['connections', () => checkConnections(database, config)],
    ['migrations', () => checkMigrations(database)],
    ['secret keys', () => checkSecrets(database, config)],
    ['queue', () => checkQueue(config, databaseUrl.ok ? databaseUrl.value : '')],
    ['due deliveries', () => checkDue(deliveries)],
    ['receivers', () => checkBreakers(deliveries)],
  ];
};

/** What needs the tables, and so is not looked at without them. */
const NEED_TABLES: ReadonlySet<string> = new Set(['secret keys', 'queue', 'due deliveries', 'receivers']);

async function* diagnoseDatabase(patient: Patient): AsyncGenerator<Finding> {
  const { databaseUrl } = patient;
  const database = openDatabase({ url: databaseUrl.ok ? databaseUrl.value : '', name: 'tenon doctor', connections: 2 });
  try {
    const remedy = 'Start the database, and check DATABASE_URL. Without DATABASE_URL the embedded one is used.';
    const reach = await runCheck('database', () =>
      databaseUrl.ok
        ? checkDatabase(database).catch((error: unknown) => failed(unreachable(error).message, remedy))
        : failed(databaseUrl.message, remedy),
    );
    yield reach;
    const seen = new Map<string, Finding>();
    for (const [name, check] of databaseChecks(database, patient)) {
      const lacksTables = NEED_TABLES.has(name) && seen.get('migrations')?.result !== 'ok';
      const isPossible = reach.result === 'ok' && !lacksTables;
      const why = lacksTables ? 'the schema is not that of this version' : 'the database cannot be used';
      const finding = await runCheck(name, isPossible ? check : () => skipped(why));
      seen.set(name, finding);
      yield finding;
    }
  } finally {
    await database.close();
  }
}

/** Looks at all that a server needs, and says what to do about each fault. It changes nothing. */
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
