import { PURGE_SECONDS, SWEEP_SECONDS, type RepeatedJob, type PurgeRows } from '../../domain/background-work.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { freeMediaFiles, type FreeingOptions } from './free-media-files.ts';
import { sweepMediaImports } from './run-media-imports.ts';

export interface MediaPurgeSettings {
  /** An import is kept as long as the webhooks that it caused. */
  readonly webhookLogDays: number;
}

export const mediaJobs = (ports: Ports, settings: FreeingOptions): readonly RepeatedJob[] => [
  {
    task: 'The search for due media imports',
    everySeconds: SWEEP_SECONDS,
    runsAtStart: true,
    run: sweepMediaImports(ports),
  },
  {
    task: 'The removal of unused media files',
    everySeconds: PURGE_SECONDS,
    run: freeMediaFiles(ports, settings),
  },
];

export const mediaPurges = ({ mediaImports }: Ports, { webhookLogDays }: MediaPurgeSettings): readonly PurgeRows[] => [
  (limit) => mediaImports.purge(webhookLogDays, limit),
];
