import { ERROR_NAMES } from '../../../domain/webhooks/error-names.ts';
import { INCIDENT_CAUSES } from '../../../domain/insight/incident-causes.ts';
import type { IncidentKind } from '../../../domain/insight/incident-rules.ts';
import { NO_APP_NAME, refusalsSubject } from '../../../domain/insight/incident-subject.ts';
import type { Sighting, Signal } from '../../../domain/insight/incidents.ts';
import type { IncidentSignals } from '../../../domain/ports/insight/incident-signals.ts';
import { deactivatedBecause } from '../../../domain/webhooks/deliverability.ts';
import { receiverName } from '../../../domain/webhooks/receiver.ts';
import type { Database } from '../connection/database.ts';
import type { TransactionSql } from '../connection/sql.ts';
import {
  DEACTIVATED,
  FAILING,
  IMAGES_FAILED,
  IMPORTS_FAILED,
  LATE,
  REFUSED,
  STORES_REFUSED,
} from './incident-signal-statements.ts';

interface Limit {
  readonly limit: number;
}
type Told = Omit<Signal, 'kind' | 'before'> & { readonly before?: number };

const failing = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(FAILING, limit)).map(({ url, description, error, ...row }) => ({
    ...row,
    name: receiverName({ url, description }),
    cause: INCIDENT_CAUSES.receiver_failing(row.value, error && ERROR_NAMES[error]),
  }));

const deactivated = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(DEACTIVATED, limit)).map(({ url, description, failingSince, ...row }) => ({
    ...row,
    impact: 1,
    name: receiverName({ url, description }),
    cause: INCIDENT_CAUSES.receiver_deactivated(
      deactivatedBecause({ failingSince, deactivatedAt: row.since }) ?? 'failed_for_120_hours',
    ),
  }));

const refused = async (sql: TransactionSql, limit: Limit): Promise<Told[]> => {
  const storeIds = (await sql.rows(STORES_REFUSED, limit)).map(({ storeId }) => storeId);
  return (await sql.rows(REFUSED, { storeIds, ...limit })).map(({ check, reason, installationId, app, ...row }) => ({
    ...row,
    subject: refusalsSubject(installationId, check, reason),
    name: app ?? NO_APP_NAME,
    impact: row.value,
    cause: INCIDENT_CAUSES.refusals({ check, reason }),
  }));
};

const late = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(LATE, limit)).map((row) => ({ ...row, subject: '', cause: INCIDENT_CAUSES.deliveries_late() }));

const importsFailed = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(IMPORTS_FAILED, limit)).map(({ fileName, read, failed, ended, ...row }) => ({
    ...row,
    subject: '',
    impact: row.value,
    cause: INCIDENT_CAUSES.product_import_failed({ fileName, read, failed, ended }),
  }));

const imagesFailed = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(IMAGES_FAILED, limit)).map(({ message, ...row }) => ({
    ...row,
    impact: row.value,
    cause: INCIDENT_CAUSES.media_imports_failed(message),
  }));

const READERS: readonly (readonly [IncidentKind, (sql: TransactionSql, limit: Limit) => Promise<Told[]>])[] = [
  ['receiver_failing', failing],
  ['receiver_deactivated', deactivated],
  ['refusals', refused],
  ['deliveries_late', late],
  ['product_import_failed', importsFailed],
  ['media_imports_failed', imagesFailed],
];

export const incidentSignals = (database: Pick<Database, 'transaction'>): IncidentSignals => ({
  read: async (limit) => {
    const sightings: Sighting[] = [];
    for (const [kind, read] of READERS) {
      const found = await database.transaction((sql) => read(sql, { limit: limit + 1 }), { planEachTime: true });
      const signals = found.slice(0, limit).map((told) => ({ before: 0, ...told, kind }));
      sightings.push({ kind, signals, isComplete: found.length <= limit });
    }
    return sightings;
  },
});
