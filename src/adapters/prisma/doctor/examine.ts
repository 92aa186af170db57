import type { LastBackup } from '../../storage/archive.ts';
import { fine, skipped, warning, type UnnamedFinding, failed, type Reach } from '../../storage/finding.ts';
import type { ExamineOptions, StorageExamination } from '../../storage/storage.ts';
import { lastBackup } from '../archive/last-backup.ts';
import { openDatabase, type Database } from '../connection/database.ts';
import { poolerFault } from '../connection/pooling.ts';
import { sealedSecrets } from '../identity/sealed-secrets.ts';
import { processes } from '../insight/processes.ts';
import { mediaFileRepository } from '../media/media-file-repository.ts';
import { deliverySweeps } from '../webhooks/queue/delivery-sweeps.ts';
import { checkCitus } from './citus-check.ts';
import { checkClock, checkConnections, checkDatabase, checkMigrations } from './database-checks.ts';
import { checkWritable, reachFault } from './reach-faults.ts';
import { checkReplication } from './replication-check.ts';

/** A backup every night, with half a day to notice that one is missing. The alert TenonBackupOld has the same limit. */
const WARNS_HOURS = 36;

export const judgeBackup = (last: LastBackup | null): UnnamedFinding => {
  if (last === null) return skipped('no backup was made by tenon backup');
  const hours = last.ageSeconds / 3_600;
  const megabytes = (last.bytes / 1_000_000).toFixed(1);
  const message = `the last backup is ${hours.toFixed(1)} hours old: ${last.rows.toLocaleString('en')} rows, ${megabytes} MB`;
  return hours < WARNS_HOURS
    ? fine(message)
    : warning(message, 'Run tenon backup, and look why nothing ran it: systemctl status tenon-backup.timer tenon-backup.');
};

const checkPooler = async (database: Database, url: string): Promise<UnnamedFinding> => {
  const fault = await poolerFault(url);
  const remedy = 'Set pool_mode=session, or DATABASE_URL to PostgreSQL itself.';
  return fault === null ? checkDatabase(database) : failed(fault, remedy);
};

export const examine = (url: string, options: ExamineOptions): StorageExamination => {
  const database = openDatabase({ url, name: 'tenon doctor', connections: 2, beginsEpoch: false });
  return {
    secrets: sealedSecrets(database),
    processes: processes(database),
    reach: (): Promise<Reach> =>
      checkPooler(database, url).then(
        (found) => ({ isReached: true, found }),
        (error: unknown) => ({ isReached: false, found: reachFault(url, error) }),
      ),
    checks: [
      { name: 'clock', run: () => checkClock(database, () => Date.now()) },
      { name: 'replication', run: () => checkReplication(database, url, options) },
      { name: 'migrations', run: () => checkMigrations(database) },
      { name: 'connections', run: () => checkConnections(database, options), needsTables: true },
      { name: 'writes', run: () => checkWritable(database, url), needsTables: true },
      { name: 'backup', run: async () => judgeBackup(await lastBackup(database)), needsTables: true },
      { name: 'Citus', run: () => checkCitus(database), isOfSome: true },
    ],
    deliveries: deliverySweeps(database, options),
    mediaFiles: mediaFileRepository(database),
    close: () => database.close(),
  };
};
