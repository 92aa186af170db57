import { FOUND_KINDS, MAX_FOUND, type Found, type FoundKind } from '../../../src/domain/insight/found.ts';
import type { Finder, Sought } from '../../../src/domain/ports/insight/finder.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { liveProducts } from '../catalogue/catalogue-tables.ts';
import { keyIdOf, keysOf } from '../idempotency/key-tables.ts';
import { installationsOf, storesOf } from '../identity/identity-tables.ts';
import { importsOf } from '../media/media-import-tables.ts';
import { hasText } from '../list-page.ts';
import type { MemoryState } from '../state.ts';
import { deliveriesOf, eventOf, subscriptionsOf } from '../webhooks/delivery-tables.ts';
import { eventsOf, type StoredEvent } from '../webhooks/event-repository.ts';
import { refusalsOf } from './request-log.ts';

type Look = (state: MemoryState, storeId: string, sought: Sought) => Omit<Found, 'kind'>[];

const isCaused = ({ requestId, createdAt }: StoredEvent, { id, requested }: Sought): boolean =>
  id !== null && requestId === id && requested !== null && createdAt >= requested.from && createdAt <= requested.to;
const isAbout = ({ type, resourceId }: StoredEvent, { text }: Sought): boolean =>
  type.startsWith('order.') && resourceId === text;

const ownEvents = (state: MemoryState, storeId: string): StoredEvent[] =>
  [...eventsOf(state).values()].filter((event) => event.storeId === storeId);

const LOOKS: Readonly<Record<FoundKind, Look>> = {
  event: (state, storeId, sought) =>
    ownEvents(state, storeId)
      .filter((event) => event.id === sought.eventId || isAbout(event, sought) || isCaused(event, sought))
      .map(({ id, type, createdAt, origin }) => ({ id, title: type, at: isoTime(createdAt), installationId: origin })),
  delivery: (state, storeId, { id }) =>
    [...deliveriesOf(state).values()]
      .filter((row) => row.storeId === storeId && row.id === id)
      .map((row) => ({ ...row, title: eventOf(state, row).type, at: isoTime(row.createdAt) })),
  product: (state, storeId, { id, text }) =>
    liveProducts(state, storeId)
      .filter(
        (row) => row.id === id || row.slug === text || row.variants.some(({ sku, deletedAt }) => sku === text && !deletedAt),
      )
      .map((row) => ({ id: row.id, title: row.name, at: row.createdAt, installationId: null })),
  request: (state, storeId, sought) => {
    const refused = [...refusalsOf(state).values()]
      .filter((row) => row.storeId === storeId && row.id === sought.id)
      .map((row) => ({ ...row, title: `${row.status} ${row.route}` }));
    const [first] = ownEvents(state, storeId).filter((event) => isCaused(event, sought));
    const causing = { id: sought.id ?? '', title: 'Caused events', at: isoTime(first?.createdAt ?? 0), installationId: null };
    return first ? [...refused, causing] : refused;
  },
  key: (state, storeId, { text }) =>
    [...installationsOf(state).values()]
      .filter((app) => app.storeId === storeId && app.status !== 'Uninstalled')
      .flatMap(({ id }) => {
        const row = keysOf(state).get(keyIdOf({ storeId, installationId: id, key: text }));
        return row ? [{ id: text, title: text, at: isoTime(row.firstAt), installationId: id }] : [];
      }),
  installation: (state, storeId, { id, text }) =>
    [...installationsOf(state).values()]
      .filter((row) => row.storeId === storeId && (row.id === id || row.clientId === text))
      .map((row) => ({ id: row.id, title: row.name, at: row.createdAt, installationId: row.id })),
  subscription: (state, storeId, { id }) =>
    [...subscriptionsOf(state).values()]
      .filter((row) => row.storeId === storeId && row.id === id)
      .map((row) => ({ ...row, title: row.url, at: row.createdAt })),
  media_import: (state, storeId, { id }) =>
    [...importsOf(state).values()]
      .filter((row) => row.storeId === storeId && row.id === id)
      .map((row) => ({ ...row, title: row.status, at: isoTime(row.createdAt) })),
};

/** Finds records that contain the text, unless it is an id. */
const PARTS: Partial<Readonly<Record<FoundKind, Look>>> = {
  product: (state, storeId, { text }) =>
    liveProducts(state, storeId)
      .filter(({ name, variants }) =>
        hasText(text, name, ...variants.flatMap(({ sku, deletedAt }) => (deletedAt === null ? [sku] : []))),
      )
      .map((row) => ({ id: row.id, title: row.name, at: row.createdAt, installationId: null })),
  installation: (state, storeId, { text }) =>
    [...installationsOf(state).values()]
      .filter((row) => row.storeId === storeId && hasText(text, row.name))
      .map((row) => ({ id: row.id, title: row.name, at: row.createdAt, installationId: row.id })),
  subscription: (state, storeId, { text }) =>
    [...subscriptionsOf(state).values()]
      .filter((row) => row.storeId === storeId && hasText(text, row.url, row.description))
      .map((row) => ({ ...row, title: row.url, at: row.createdAt })),
};

const newestFirst = (a: Found, b: Found): number => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1);

/** `isSlow`: no search ends in its time. */
export const finder = (state: MemoryState, { isSlow = false } = {}): Finder => ({
  find: async (storeId, sought) => {
    if (isSlow) return 'slow';
    if (!storesOf(state).has(storeId)) return null;
    const by = (looks: Partial<Readonly<Record<FoundKind, Look>>>): Found[] =>
      FOUND_KINDS.flatMap((kind) =>
        (looks[kind]?.(state, storeId, sought) ?? [])
          .map(({ id, title, at, installationId }): Found => ({ kind, id, title, at, installationId }))
          .sort(newestFirst),
      );
    const whole = by(LOOKS);
    const parts = sought.id === null ? by(PARTS) : [];
    const isNew = ({ kind, id }: Found): boolean => !whole.some((one) => one.kind === kind && one.id === id);
    return [...whole, ...parts.filter(isNew)].slice(0, MAX_FOUND);
  },
});
