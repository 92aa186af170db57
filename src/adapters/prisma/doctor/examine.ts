import { failed, type UnnamedFinding, type Reach } from '../../storage/finding.ts';
import type { ExamineOptions, StorageExamination } from '../../storage/storage.ts';
import { openDatabase, type Database } from '../connection/database.ts';
import { poolerFault } from '../connection/pooling.ts';
import { sealedSecrets } from '../identity/sealed-secrets.ts';
import { processes } from '../insight/processes.ts';
import { mediaFileRepository } from '../media/media-file-repository.ts';
import { deliverySweeps } from '../webhooks/queue/delivery-sweeps.ts';
import { checkCitus } from './citus-check.ts';
import { lastBackup } from '../archive/last-backup.ts';
import { judgeBackup } from './backup-check.ts';
import { checkClock, checkConnections, checkDatabase, checkMigrations } from './database-checks.ts';
import { checkWritable, reachFault } from './reach-faults.ts';
import { checkReplication } from './replication-check.ts';

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
