import type { Cause } from '../../../src/domain/cause.ts';
import { mayCall } from '../../../src/domain/identity/installation.ts';
import { hasEnded, isOpen, UNINSTALLED, type MediaImport } from '../../../src/domain/media/media-import.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type {
  ImportOwner,
  ImportTask,
  MediaImportRepository,
  MediaImportWrites,
} from '../../../src/domain/ports/media/media-import-repository.ts';
import { sourceHost } from '../../../src/domain/media/source-host.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { productsOf } from '../catalogue/catalogue-tables.ts';
import { installationsOf, statusIn, storesOf } from '../identity/identity-tables.ts';
import type { TransactionLocks } from '../locks.ts';
import type { MemoryState } from '../state.ts';
import { importsOf, type ImportRow } from './media-import-tables.ts';

const read = ({ items, endedAt: _, createdAt: __, traceparent: ___, ...row }: ImportRow): MediaImport => ({
  ...row,
  items: items.map(({ index, status, mediaId, errorCode, error, retryAt, retryReason }) => ({
    ...{ index, status, mediaId, errorCode, error, retryReason },
    retryAt: retryAt === null ? null : isoTime(retryAt),
  })),
});

const NO_RETRY = { retryAt: null, retryReason: null } as const;

/** The imports that have not ended, the oldest first. */
export const openImports = (state: MemoryState): ImportRow[] =>
  [...importsOf(state).values()].filter(({ endedAt }) => endedAt === null).sort((a, b) => (a.id < b.id ? -1 : 1));

const isOf = ({ storeId, installationId }: ImportOwner, row: ImportRow): boolean =>
  row.storeId === storeId && row.installationId === installationId;

const isRunnable = (state: MemoryState, { storeId, installationId }: ImportRow): boolean => {
  const installation = installationsOf(state).get(installationId);
  return (
    installation !== undefined && mayCall(statusIn(state, installation)) && storesOf(state).get(storeId)?.status === 'Active'
  );
};

const missing = (state: MemoryState, { storeId }: ImportRow, item: ImportRow['items'][number]): ImportTask['missing'] => {
  const product = productsOf(state).get(`${storeId}/${item.productId}`);
  if (product?.deletedAt !== null) return 'product_not_found';
  const { productVariantId: wanted } = item;
  const found = wanted === null || product.variants.some(({ id, deletedAt }) => id === wanted && deletedAt === null);
  return found ? null : 'variant_not_found';
};

const change = (
  state: MemoryState,
  row: ImportRow,
  index: number,
  to: Partial<ImportRow['items'][number]>,
  more: Partial<ImportRow> = {},
): void => {
  const items = row.items.map((item) => (item.index === index ? { ...item, ...to } : item));
  importsOf(state).set(row.id, { ...row, ...more, items });
};

export const mediaImportRepository = (state: MemoryState, clock: Clock): MediaImportRepository => ({
  get: async (owner, id) => {
    const row = importsOf(state).get(id);
    return row && isOf(owner, row) ? read(row) : null;
  },
  begin: async (owner, begun, busy = []) => {
    const mayBegin = ({ retryAt, sourceUrl }: ImportRow['items'][number]): boolean =>
      (retryAt ?? 0) <= clock.now() && !busy.includes(sourceHost(sourceUrl));
    const taken = new Set(begun.map(({ mediaId }) => mediaId));
    const rows = openImports(state).filter((row) => isOf(owner, row) && isRunnable(state, row));
    for (const row of rows) {
      const item = row.items.find((one) => isOpen(one) && !taken.has(one.mediaId) && mayBegin(one));
      if (!item) continue;
      change(state, row, item.index, { status: 'Downloading', tries: item.tries + 1, ...NO_RETRY }, { status: 'Running' });
      const { status: _, errorCode: __, error: ___, retryAt: ____, retryReason: _____, ...content } = item;
      const { id: importId, storeId, installationId, requestId, traceparent } = row;
      return { ...content, importId, storeId, installationId, requestId, traceparent, missing: missing(state, row, item) };
    }
    return null;
  },
  requeue: async (storeId, begun) => {
    for (const { importId, index } of begun) {
      const row = importsOf(state).get(importId);
      const item = row?.items[index];
      if (row?.storeId === storeId && item?.status === 'Downloading')
        change(state, row, index, { status: 'Pending', tries: item.tries - 1 });
    }
  },
  postpone: async ({ storeId, importId, index }, seconds, reason) => {
    const row = importsOf(state).get(importId);
    const item = row?.items[index];
    if (row?.storeId !== storeId || item?.status !== 'Downloading') return;
    const { tries, asked } = item;
    const retry = { retryAt: clock.now() + seconds * 1000, retryReason: reason };
    change(state, row, index, { status: 'Pending', tries: tries - 1, asked: asked + 1, ...retry });
  },
  toRun: async (owner) => {
    const rows = openImports(state).filter(
      (row) =>
        (!owner || row.storeId === owner.storeId) &&
        (owner?.installationId === undefined || row.installationId === owner.installationId) &&
        (isRunnable(state, row) || installationsOf(state).get(row.installationId)?.status === 'Uninstalled'),
    );
    const owners = rows.map(({ storeId, installationId }) => [installationId, { storeId, installationId }] as const);
    return [...new Map(owners).values()];
  },
  purge: async (days, limit) => {
    const oldest = clock.now() - days * 86_400_000;
    const gone = [...importsOf(state).values()].filter(({ endedAt }) => endedAt !== null && endedAt < oldest).slice(0, limit);
    for (const { id } of gone) importsOf(state).delete(id);
    return gone.length;
  },
  open: async () => openImports(state).filter((row) => isRunnable(state, row)).length,
});

export const mediaImportWrites = (
  state: MemoryState,
  clock: Clock,
  locks: TransactionLocks,
  cause: Cause,
): MediaImportWrites => ({
  create: async ({ items, ...given }) => {
    const { requestId = null, traceparent = null } = cause ?? {};
    const pending = { status: 'Pending', errorCode: null, error: null, tries: 0, asked: 0, ...NO_RETRY } as const;
    const rows = items.map((item, index) => ({ ...item, ...pending, index }));
    importsOf(state).set(given.id, {
      ...given,
      requestId,
      traceparent,
      status: 'Queued',
      items: rows,
      createdAt: clock.now(),
      endedAt: null,
    });
  },
  lockOpen: async (storeId, id) => {
    await locks.take(`import ${id}`);
    const row = importsOf(state).get(id);
    return row?.storeId === storeId && row.endedAt === null ? read(row) : null;
  },
  settle: async (after, index) => {
    const row = importsOf(state).get(after.id);
    const item = after.items.find((one) => one.index === index);
    const endedAt = hasEnded(after) ? clock.now() : null;
    if (row?.storeId === after.storeId && item)
      change(state, row, index, { ...item, ...NO_RETRY }, { status: after.status, endedAt });
  },
  endAll: async (owner) =>
    openImports(state)
      .filter((row) => isOf(owner, row))
      .map((row) => {
        const items = row.items.map((item) => (isOpen(item) ? { ...item, ...UNINSTALLED, ...NO_RETRY } : item));
        const ended: ImportRow = { ...row, items, status: 'Failed', endedAt: clock.now() };
        importsOf(state).set(row.id, ended);
        return read(ended);
      }),
});
