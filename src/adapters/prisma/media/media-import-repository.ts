import type { Cause } from '../../../domain/cause.ts';
import { hasEnded, UNINSTALLED } from '../../../domain/media/media-import.ts';
import type { MediaImportRepository, MediaImportWrites } from '../../../domain/ports/media/media-import-repository.ts';
import { DAY_SECONDS, endOldest } from '../connection/purge.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import {
  ALL_TO_RUN,
  BEGIN_MEDIA_IMPORT,
  COUNT_OPEN,
  FIND_OWNED,
  POSTPONE,
  PURGE_MEDIA_IMPORTS,
  REQUEUE,
  TO_RUN_OF_STORE,
} from './media-import-statements.ts';
import {
  CREATE_MEDIA_IMPORT,
  CREATE_ITEMS,
  END_MEDIA_IMPORT,
  END_ITEMS,
  FIND_MEDIA_IMPORT,
  FIND_MANY,
  LOCK_ALL,
  LOCK_OPEN,
  SETTLE_MEDIA_IMPORT,
  SETTLE_ITEM,
} from './media-import-write-statements.ts';

export const mediaImportRepository = (sql: Sql): MediaImportRepository => ({
  get: async ({ storeId, installationId }, id) => (await sql.rows(FIND_OWNED, { storeId, id, installationId }))[0] ?? null,
  begin: async ({ storeId, installationId }, begun, busy = []) => {
    const [task] = await sql.rows(BEGIN_MEDIA_IMPORT, {
      storeId,
      installationId,
      begun: begun.map(({ mediaId }) => mediaId),
      busy,
    });
    return task ?? null;
  },
  requeue: async (storeId, begun) => {
    if (begun.length === 0) return;
    const [importIds, indexes] = [begun.map(({ importId }) => importId), begun.map(({ index }) => index)];
    await sql.execute(REQUEUE, { storeId, importIds, indexes });
  },
  postpone: async ({ storeId, importId, index }, seconds, reason) => {
    await sql.execute(POSTPONE, { storeId, importId, index, seconds, reason });
  },
  toRun: (owner) =>
    owner === undefined
      ? sql.rows(ALL_TO_RUN)
      : sql.rows(TO_RUN_OF_STORE, { storeId: owner.storeId, installationId: owner.installationId ?? null }),
  purge: (days, limit) => endOldest(sql, PURGE_MEDIA_IMPORTS, days * DAY_SECONDS, limit),
  open: async () => (await sql.rows(COUNT_OPEN))[0]?.n ?? 0,
});

export const mediaImportWrites = (sql: TransactionSql, cause: Cause): MediaImportWrites => ({
  create: async ({ id, storeId, installationId, items }) => {
    const [requestId, traceparent] = [cause?.requestId ?? null, cause?.traceparent ?? null];
    sql.enqueue(CREATE_MEDIA_IMPORT, { id, storeId, installationId, requestId, traceparent });
    await sql.execute(CREATE_ITEMS, {
      id,
      storeId,
      mediaIds: items.map((item) => item.mediaId),
      sourceUrls: items.map((item) => item.sourceUrl),
      productIds: items.map((item) => item.productId),
      variantIds: items.map((item) => item.productVariantId),
      altTexts: items.map((item) => item.altText),
      positions: items.map((item) => item.position),
      aiGenerated: items.map((item) => item.aiGenerated),
    });
  },
  lockOpen: async (storeId, id) => {
    if ((await sql.execute(LOCK_OPEN, { storeId, id })) === 0) return null;
    // A separate statement: it sees what others committed while the first waited for the lock.
    return (await sql.rows(FIND_MEDIA_IMPORT, { storeId, id }))[0] ?? null;
  },
  settle: async (after, index) => {
    const { storeId, id } = after;
    const item = after.items.find((one) => one.index === index);
    if (item) {
      const { status, errorCode, error } = item;
      await sql.execute(SETTLE_ITEM, { storeId, id, index, status, errorCode, error });
    }
    if (hasEnded(after)) await sql.execute(END_MEDIA_IMPORT, { storeId, ids: [id], status: after.status });
    else await sql.execute(SETTLE_MEDIA_IMPORT, { storeId, id, status: after.status });
  },
  endAll: async ({ storeId, installationId }) => {
    const ids = (await sql.rows(LOCK_ALL, { storeId, installationId })).map(({ id }) => id);
    if (ids.length === 0) return [];
    await sql.execute(END_ITEMS, { storeId, ids, ...UNINSTALLED });
    await sql.execute(END_MEDIA_IMPORT, { storeId, ids, status: 'Failed' });
    return sql.rows(FIND_MANY, { storeId, ids });
  },
});
