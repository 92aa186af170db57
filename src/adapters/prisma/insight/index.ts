import type { Database } from '../connection/database.ts';
import { auditLog } from './audit-log.ts';
import { figures } from './figures.ts';
import { finder } from './finder.ts';
import { incidentNotices } from './incident-notices.ts';
import { incidents } from './incidents.ts';
import { processes } from './processes.ts';
import { requestLog } from './request-log.ts';

export const insightPorts = (database: Database) => ({
  auditLog: auditLog(database),
  figures: figures(database),
  finder: finder(database),
  incidentNotices: incidentNotices(database),
  incidents: incidents(database),
  processes: processes(database),
  requestLog: requestLog(database),
});
