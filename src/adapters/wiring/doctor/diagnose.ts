import { availableParallelism } from 'node:os';

import { messageOf } from '../../../domain/values/error.ts';
import { plural } from '../../../domain/values/plural.ts';
import { createDeliveryQueue } from '../../bullmq/delivery-queue.ts';
import { systemClock } from '../../node/clock.ts';
import { timeOrderedIds } from '../../node/ids.ts';
import {
  failed,
  fine,
  type UnnamedFinding,
  warning,
  type CheckResult,
  skipped,
  type DoctorCheck,
  type Finding,
  type NamedCheck,
  type Reach,
} from '../../storage/finding.ts';
import { batchesOf, type SealedSecrets, type SealedText } from '../../storage/sealed-secrets.ts';
import type { StorageExamination } from '../../storage/storage.ts';
import { sealedPepper } from '../keys/open-secrets.ts';
import { forgetRemedy, judgeKeys, KEY_MISSING, keyLost, keyMissing, unopened } from '../keys/unopened.ts';
import { namesMedia } from '../names-media.ts';
import type { Config } from '../settings/config.ts';
import { apiProcesses, connectionsOf } from '../settings/derived-settings.ts';
import { engineAt, storageAt } from '../storage.ts';
import { checkDisk, checkNode, checkProxies } from './machine-checks.ts';
import { checkMedia, checkOutgoingProxy, checkRedis } from './reach-checks.ts';
import { checkBreakers, checkDue, checkWorkers } from './work-checks.ts';

const checkQueue = async ({ REDIS_URL }: Config, databaseUrl: string): Promise<UnnamedFinding> => {
  const { name, promises } = engineAt(databaseUrl);
  if (REDIS_URL === undefined && !promises.has('job_queue')) return failed(`${name} cannot keep the queue`, 'Set REDIS_URL.');
  const backend = REDIS_URL === undefined ? { databaseUrl } : { redisUrl: REDIS_URL };
  // Errors of the connection show in the answer, and it does no work.
  const options = { onError: () => undefined, storeOf: () => Promise.resolve(null) };
  const queue = await createDeliveryQueue({ backend, concurrency: 1, ...options });
  try {
    const where = REDIS_URL === undefined ? name : 'Redis';
    if (await queue.reachable()) return fine(`the queue is in ${where}`);
    return failed(
      `the queue in ${where} does not answer`,
      'Deliveries are delayed until the sweep that runs every 20 seconds. Check the server named above.',
    );
  } finally {
    await queue.close();
  }
};

async function* everySecret({ tables, peppers }: SealedSecrets): AsyncGenerator<SealedText> {
  for (const table of tables) for await (const batch of batchesOf(table)) yield* batch;
  for (const pepper of await peppers.list()) yield sealedPepper(pepper);
}

export const checkSecrets = async (
  secrets: SealedSecrets,
  config: Pick<Config, 'SECRET_KEYS' | 'LOST_SECRET_KEYS'>,
): Promise<CheckResult> => {
  let counted = 0;
  const counting = async function* () {
    for await (const secret of everySecret(secrets)) {
      counted += 1;
      yield secret;
    }
  };
  const { missing, lost } = judgeKeys(await unopened(counting(), config.SECRET_KEYS), config);
  const found = [
    ...(missing.size > 0 ? [failed(keyMissing(missing), KEY_MISSING)] : []),
    ...(lost.size > 0 ? [warning(keyLost(lost), forgetRemedy(lost))] : []),
  ];
  if (found.length > 0) return found;
  return fine(`SECRET_KEYS opens all that is stored: ${plural(counted, 'secret')}`);
};

const oneLine = (error: unknown): string => messageOf(error).split('\n', 1)[0] ?? '';

/** A check that fails in a way that it does not know is a finding as well: the others still run. */
const runCheck = async (check: string, run: DoctorCheck): Promise<readonly Finding[]> => {
  try {
    return [await run()].flat().map((found) => ({ check, ...found }));
  } catch (error) {
    return [{ check, ...failed(oneLine(error), 'See the message and the log of the server.') }];
  }
};

interface Patient {
  readonly config: Config;
  readonly databaseUrl: { readonly ok: true; readonly value: string } | { readonly ok: false; readonly message: string };
  readonly nodeVersion: string;
}

const unknownDatabase = (message: string): UnnamedFinding => failed(message, 'Start the server once, or set DATABASE_URL.');

/** Scheme where the settings name no database, and the one that Tenon brings is not there either. */
const EMBEDDED = 'postgresql:';

const addressOf = (url: Patient['databaseUrl']): string => (url.ok ? url.value : EMBEDDED);

/** Returns the reason for leaving out a check of the database; null where it can be done. */
const whyNot = ({ isReached, found }: Reach, lacksTables: boolean): string | null => {
  if (!isReached) return 'not checked: the database cannot be reached';
  if (found.result !== 'ok') return 'not checked: the database cannot be used';
  return lacksTables ? 'not checked: the schema is not that of this version' : null;
};

const checkPorts = (missing: readonly string[]): CheckResult =>
  missing.length === 0
    ? []
    : failed(
        `the storage adapter is not complete: there is no ${missing.join(', ')}`,
        'Requests that need these get 503. See docs/storage-adapters.md.',
      );

/** Checks the storage itself, and then the content of its tables. */
const databaseChecks = (
  { checks, secrets, processes, deliveries, missing = [] }: StorageExamination,
  config: Config,
  url: string,
): readonly NamedCheck[] => [
  { name: 'ports', run: () => checkPorts(missing), isOfSome: true },
  ...checks,
  { name: 'secret keys', run: () => checkSecrets(secrets, config), needsTables: true },
  { name: 'queue', run: () => checkQueue(config, url), needsTables: true },
  { name: 'workers', run: () => checkWorkers(processes), needsTables: true },
  { name: 'due deliveries', run: () => checkDue(deliveries), needsTables: true },
  { name: 'receivers', run: () => checkBreakers(deliveries), needsTables: true },
];

const examinationOf = async ({ config, databaseUrl }: Patient): Promise<StorageExamination> => {
  const url = databaseUrl.ok ? databaseUrl.value : '';
  const adapter = await storageAt(addressOf(databaseUrl));
  return adapter.examine(url, {
    connections: connectionsOf(config),
    processes: 1 + apiProcesses(config, availableParallelism()),
    isEmbedded: config.DATABASE_URL === undefined,
    clock: systemClock,
    ids: timeOrderedIds(systemClock),
  });
};

/** Returns whether its tables can be read. */
async function* diagnoseDatabase(
  { config, databaseUrl }: Patient,
  examination: StorageExamination,
): AsyncGenerator<Finding, boolean> {
  const reach = databaseUrl.ok ? await examination.reach() : { isReached: false, found: unknownDatabase(databaseUrl.message) };
  yield { check: 'database', ...reach.found };
  let isMigrated = false;
  const why = (needsTables: boolean): string | null => whyNot(reach, needsTables && !isMigrated);
  const url = databaseUrl.ok ? databaseUrl.value : '';
  for (const { name, run, needsTables = false, isOfSome } of databaseChecks(examination, config, url)) {
    const reason = why(needsTables);
    const findings = await runCheck(name, reason === null ? run : () => (isOfSome ? [] : skipped(reason)));
    if (name === 'migrations') isMigrated = findings.every(({ result }) => result === 'ok');
    yield* findings;
  }
  return why(true) === null;
}

/** Looks at all that a server needs, and says what to do about each fault. It leaves everything as it was. */
export async function* diagnose(patient: Patient): AsyncGenerator<Finding> {
  const { config, nodeVersion } = patient;
  yield* await runCheck('Node.js', () => checkNode(nodeVersion));
  const examination = await examinationOf(patient);
  try {
    const isReadable = yield* diagnoseDatabase(patient, examination);
    yield* await runCheck('Redis', () => checkRedis(config, engineAt(addressOf(patient.databaseUrl))));
    yield* await runCheck('disk', () => checkDisk(config));
    yield* await runCheck('media', async () => checkMedia(config, isReadable && !(await namesMedia(examination.mediaFiles))));
    yield* await runCheck('proxies', () => checkProxies(config));
    yield* await runCheck('outgoing proxy', () => checkOutgoingProxy(config));
  } finally {
    await examination.close();
  }
}
