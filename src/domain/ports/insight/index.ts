import type { AuditLog } from './audit-log.ts';
import type { Figures } from './figures.ts';
import type { Finder } from './finder.ts';
import type { IncidentNotices } from './incident-notices.ts';
import type { IncidentSignals } from './incident-signals.ts';
import type { Incidents } from './incidents.ts';
import type { Invariants } from './invariants.ts';
import type { Processes } from './processes.ts';
import type { Repairs } from './repairs.ts';
import type { RequestLog } from './request-log.ts';

export interface InsightPorts {
  readonly auditLog: AuditLog;
  readonly figures: Figures;
  readonly finder: Finder;
  readonly incidentNotices: IncidentNotices;
  readonly incidentSignals: IncidentSignals;
  readonly incidents: Incidents;
  readonly invariants: Invariants;
  readonly processes: Processes;
  readonly repairs: Repairs;
  readonly requestLog: RequestLog;
}
