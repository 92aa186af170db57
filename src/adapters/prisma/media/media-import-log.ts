import { firstErrorOf, type ImportSummary } from '../../../domain/media/import-summary.ts';
import type { MediaImportLog } from '../../../domain/ports/media/media-import-log.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Sql } from '../connection/sql.ts';
import { FAILED, GET_MEDIA_IMPORT, LIST_MEDIA_IMPORTS } from './media-import-log-statements.ts';
import { FIND_STORE } from '../work/find-store.ts';

const summaryOf = ({
  total,
  ready,
  failed,
  code,
  message,
  ...row
}: NonNullable<typeof LIST_MEDIA_IMPORTS.row>): ImportSummary => ({
  ...row,
  items: { total, ready, failed },
  firstError: firstErrorOf([{ errorCode: code, error: message }]),
});

export const mediaImportLog = (sql: Sql): MediaImportLog => ({
  list: async (storeId, { installationId = null, statuses = null }, { after, take }) => {
    const place = { afterAt: after && isoTime(after.at), afterId: after?.id ?? null };
    const [stores, rows] = await Promise.all([
      sql.execute(FIND_STORE, { storeId }),
      sql.rows(LIST_MEDIA_IMPORTS, { storeId, installationId, statuses, ...place, take }),
    ]);
    return stores === 0 ? null : rows.map(summaryOf);
  },
  failed: async (storeId, days, take) => (await sql.rows(FAILED, { storeId, days, take })).map(summaryOf),
  get: async (storeId, id) => {
    const [row] = await sql.rows(GET_MEDIA_IMPORT, { storeId, id });
    return row ? { ...row, firstError: firstErrorOf(row.items) } : null;
  },
});
