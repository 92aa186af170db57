import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Ids } from '../../../src/domain/ports/ids.ts';
import type { MemoryState } from '../state.ts';
import { auditLog } from './audit-log.ts';
import { figures } from './figures.ts';
import { finder } from './finder.ts';
import { incidentNotices } from './incident-notices.ts';
import { incidents } from './incidents.ts';
import { invariants } from './invariants.ts';
import { processes } from './processes.ts';
import { repairs } from './repairs.ts';
import { requestLog } from './request-log.ts';

export interface InsightOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  /** The idempotency keys whose requests run. */
  readonly locked: Set<string>;
}

export const insightPorts = (state: MemoryState, { clock, ids, locked }: InsightOptions) => ({
  auditLog: auditLog(state, clock),
  figures: figures(state, clock),
  finder: finder(state),
  incidentNotices: incidentNotices(state, clock),
  incidents: incidents(state, clock),
  invariants: invariants(state, clock, { locked }),
  processes: processes(state, clock),
  repairs: repairs(state, { clock, ids }),
  requestLog: requestLog(state, clock),
});
