import { firstErrorOf, type ImportSummary } from '../../../src/domain/media/import-summary.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { MediaImportLog } from '../../../src/domain/ports/media/media-import-log.ts';
import { isoTime, isoTimeOrNull } from '../../../src/domain/time.ts';
import { storesOf } from '../identity/identity-tables.ts';
import type { MemoryState } from '../state.ts';
import { importsOf, type ImportRow } from './media-import-tables.ts';

const DAY_MS = 86_400_000;

const shown = ({ id, installationId, status, createdAt, endedAt, items }: ImportRow): Omit<ImportSummary, 'items'> => ({
  id,
  installationId,
  status,
  createdAt: isoTime(createdAt),
  finishedAt: endedAt === null ? null : isoTime(endedAt),
  firstError: firstErrorOf(items),
});

const summaryOf = (row: ImportRow): ImportSummary => {
  const count = (status: string): number => row.items.filter((item) => item.status === status).length;
  return { ...shown(row), items: { total: row.items.length, ready: count('Ready'), failed: count('Failed') } };
};

const byId = (a: ImportRow, b: ImportRow): number => (a.id < b.id ? 1 : -1);

export const mediaImportLog = (state: MemoryState, clock: Clock): MediaImportLog => {
  const ofStore = (storeId: string): ImportRow[] => [...importsOf(state).values()].filter((row) => row.storeId === storeId);
  return {
    list: async (storeId, { installationId, statuses }, { after, take }) => {
      if (!storesOf(state).has(storeId)) return null;
      return ofStore(storeId)
        .filter((row) => installationId === undefined || row.installationId === installationId)
        .filter((row) => statuses === undefined || statuses.includes(row.status))
        .filter(({ createdAt, id }) => !after || createdAt < after.at || (createdAt === after.at && id < after.id))
        .sort((a, b) => b.createdAt - a.createdAt || byId(a, b))
        .slice(0, take)
        .map(summaryOf);
    },
    failed: async (storeId, days, take) =>
      ofStore(storeId)
        .filter(({ status }) => status === 'Failed' || status === 'CompletedWithErrors')
        .filter(({ endedAt }) => (endedAt ?? 0) >= clock.now() - days * DAY_MS)
        .sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0) || byId(a, b))
        .slice(0, take)
        .map(summaryOf),
    get: async (storeId, id) => {
      const row = importsOf(state).get(id);
      if (row?.storeId !== storeId) return null;
      const { requestId } = row;
      const items = row.items.map(({ altText: _, position: __, aiGenerated: ___, tries: ____, asked: _____, ...item }) => ({
        ...item,
        retryAt: isoTimeOrNull(item.retryAt ?? undefined),
        mediaId: item.status === 'Ready' ? item.mediaId : null,
      }));
      return { ...shown(row), storeId, requestId, items };
    },
  };
};
