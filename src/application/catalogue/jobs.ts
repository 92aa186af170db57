import { SWEEP_SECONDS, type RepeatedJob, type PurgeRows } from '../../domain/background-work.ts';
import { IMPORTS_KEPT_DAYS } from '../../domain/catalogue/import-record.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { sweepProductImports } from './record-import.ts';

export const catalogueJobs = (ports: Ports): readonly RepeatedJob[] => [
  {
    task: 'The end of abandoned product imports',
    everySeconds: SWEEP_SECONDS,
    runsAtStart: true,
    run: sweepProductImports(ports),
  },
];

export const cataloguePurges = ({ productImports }: Ports): readonly PurgeRows[] => [
  (limit) => productImports.purge(IMPORTS_KEPT_DAYS, limit),
];
