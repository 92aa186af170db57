import { ALL_SCOPES } from '../../../../domain/identity/scope.ts';
import type { AppLife } from '../../../../domain/ports/webhooks/app-life.ts';
import { lifeEvents } from '../../../../domain/webhooks/app-life.ts';
import type { Database } from '../../connection/database.ts';
import { oneOf } from '../../connection/sql-types.ts';
import type { TransactionSql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { statusOf } from '../../work/installation-status.ts';
import { isKept } from './event-places.ts';
import { eventRepository, type EventOptions } from './event-repository.ts';

const STATUSES = ['Installed', 'Suspended'] as const;
const STATUS = statusOf('i');

/** Installations `i` of platform apps that are not what their last event said. One whose app this server lacks has no events. */
const UNTOLD = `installations i JOIN platform_apps a ON a.id = i.app_id
    WHERE i.app_id IS NOT NULL AND ($appId::uuid IS NULL OR i.app_id = $appId) AND i.status <> 'Uninstalled'
      AND (i.told_status IS DISTINCT FROM ${STATUS} OR i.told_scopes IS DISTINCT FROM i.scopes)`;

/** The row of the store comes before those of its installations, as with an uninstallation. */
const SHARE_STORE = statement({
  text: 'SELECT FROM stores WHERE id = $storeId FOR KEY SHARE',
  parameters: { storeId: 'uuid' },
});

const STORES_TO_TELL = statement({
  text: `SELECT DISTINCT i.store_id AS id FROM ${UNTOLD} AND ${isKept('i.store_id')} LIMIT $limit`,
  parameters: { appId: 'uuid?', limit: 'int8' },
  row: { id: 'uuid' },
});

/** A transaction sees the reports of an earlier one that ran at the same time. */
const TO_TELL = statement({
  text: `
    SELECT i.store_id AS "storeId", i.id, i.name, i.scopes, ${STATUS} AS status, i.told_status AS "toldStatus", i.told_scopes AS "toldScopes",
      (SELECT domain FROM stores WHERE id = $storeId) AS domain, EXISTS (SELECT FROM stores WHERE id = $storeId AND sandbox_app_id IS NOT NULL) AS "isSandbox"
    FROM ${UNTOLD} AND i.store_id = $storeId ORDER BY i.id FOR UPDATE OF i`,
  parameters: { storeId: 'uuid', appId: 'uuid?' },
  row: {
    storeId: 'uuid',
    id: 'uuid',
    name: 'text',
    scopes: oneOf('text[]!', ALL_SCOPES),
    status: oneOf('text', STATUSES),
    toldStatus: oneOf('text?', STATUSES),
    toldScopes: oneOf('text[]?', ALL_SCOPES),
    domain: 'text',
    isSandbox: 'bool',
  },
});

const TELL = statement({
  text: 'UPDATE installations SET told_status = $status, told_scopes = $scopes WHERE store_id = $storeId AND id = $id',
  parameters: { storeId: 'uuid', id: 'uuid', status: 'text', scopes: 'text[]' },
});

const tellStore = async (sql: TransactionSql, options: EventOptions, storeId: string, appId: string | null): Promise<boolean> => {
  await sql.execute(SHARE_STORE, { storeId });
  const rows = await sql.rows(TO_TELL, { storeId, appId });
  for (const { toldStatus, toldScopes, ...now } of rows) {
    const told = toldStatus === null ? null : { status: toldStatus, scopes: toldScopes ?? [] };
    await eventRepository(sql, options, null).append(lifeEvents(told, now));
    await sql.execute(TELL, { storeId, id: now.id, status: now.status, scopes: now.scopes });
  }
  return rows.length > 0;
};

/** Each store has its own transaction, in turn. */
export const appLife = (database: Database, options: EventOptions): AppLife => ({
  record: async (limit, platformAppId) => {
    const appId = platformAppId ?? null;
    const told: string[] = [];
    for (const { id } of await database.rows(STORES_TO_TELL, { appId, limit }))
      if (await database.transaction((sql) => tellStore(sql, options, id, appId))) told.push(id);
    return told;
  },
});
