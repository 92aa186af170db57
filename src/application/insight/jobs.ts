import { SWEEP_SECONDS, type RepeatedJob, type PurgeRows } from '../../domain/background-work.ts';
import { AUDIT_DAYS } from '../../domain/insight/audit.ts';
import { KEPT_DAYS } from '../../domain/insight/figures.ts';
import { INCIDENTS_KEPT_DAYS } from '../../domain/insight/incident-rules.ts';
import type { NoticeChannel } from '../../domain/insight/notice-rules.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { sweepIncidents, type IncidentObservations } from './sweep-incidents.ts';
import { tellIncidents, type Messenger } from './tell-incidents.ts';

const TELL_SECONDS = 5;

export interface InsightJobSettings {
  readonly observations: IncidentObservations;
  readonly messenger: Messenger;
  readonly onNotTold: (channel: NoticeChannel, reason: string) => void;
}

export interface InsightPurgeSettings {
  readonly requestLogDays: number;
}

export const insightJobs = (ports: Ports, { observations, messenger, onNotTold }: InsightJobSettings): readonly RepeatedJob[] => [
  {
    // Not at the start: what became due while no worker ran is sent first.
    task: 'The search for incidents',
    everySeconds: SWEEP_SECONDS,
    run: sweepIncidents(ports, observations, messenger.channels),
  },
  {
    task: 'The messages about incidents',
    everySeconds: TELL_SECONDS,
    run: tellIncidents(ports, messenger, onNotTold),
  },
];

export const insightPurges = (
  { requestLog, auditLog, incidents, figures }: Ports,
  { requestLogDays }: InsightPurgeSettings,
): readonly PurgeRows[] => [
  (limit) => requestLog.purge(requestLogDays, limit),
  (limit) => auditLog.purge(AUDIT_DAYS, limit),
  (limit) => incidents.purge(INCIDENTS_KEPT_DAYS, limit),
  (limit) => figures.condense(KEPT_DAYS.minute, limit),
  (limit) => figures.purge(KEPT_DAYS.hour, limit),
];
