import { SWEEP_SECONDS, type BatchJob, type RepeatedJob, type PurgeRows } from '../../domain/background-work.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { eraseStores } from './erase-store.ts';
import { recordAppLife } from './record-app-life.ts';

const ERASE_SECONDS = 5;

export const identityJobs = (ports: Ports): readonly (RepeatedJob | BatchJob)[] => [
  {
    task: 'The recording of the life of apps',
    everySeconds: SWEEP_SECONDS,
    runsAtStart: true,
    run: recordAppLife(ports),
  },
  { task: 'The erasure of stores', everySeconds: ERASE_SECONDS, batch: eraseStores(ports) },
];

export const identityPurges = (ports: Ports): readonly PurgeRows[] => [
  (limit) => ports.tokens.purge(limit),
  (limit) => ports.installations.purgeSigningSecrets(limit),
  (limit) => ports.platformApps.purgeSigningSecrets(limit),
  (limit) => ports.consoleSessions.purge(limit),
  (limit) => ports.appConsoleSessions.purge(limit),
  (limit) => ports.developerSessions.purge(limit),
  (limit) => ports.installRequests.purge(limit),
];
