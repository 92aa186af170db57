import { formatPlace } from '../../../domain/catalogue/product-place.ts';
import type { ProductPage } from '../../../domain/ports/catalogue/product-reader.ts';
import type { JsonDocument, Reading } from '../../../domain/reading.ts';
import { storeKey } from '../../../domain/store-key.ts';
import { hasNone, ownBytes, tagOf, Flights } from './documents.ts';
import { bytesOf, type ReadCache, type Shelf } from './read-cache.ts';

/** A page as PostgreSQL names it: how many match in all, and the id and version of each of its items. */
export interface PageRow {
  readonly total: string;
  /** `<id><version>`, with commas between them; null for none. */
  readonly entries: string | null;
  /** The time and the id of the place behind which the list continues; null at its end. */
  readonly next?: string | null;
}

export interface Item {
  readonly id: string;
  readonly version: string;
  readonly text: string;
}

export interface PageSource {
  readonly page: () => Promise<PageRow>;
  readonly items: (ids: readonly string[]) => Promise<Item[]>;
  /** Both from one snapshot. */
  readonly snapshot: <T>(read: (source: Pick<PageSource, 'page' | 'items'>) => Promise<T>) => Promise<T>;
}

export type ReadPage = (storeId: string, page: ProductPage, source: PageSource, reading?: Reading) => Promise<JsonDocument>;

interface Entry {
  readonly id: string;
  readonly version: string;
  text: string | undefined;
}

const ID_LENGTH = 36;

/** Holds the texts that are kept, so that none is forgotten while the others are rendered. */
const held = (shelf: Shelf<string>, storeId: string, entries: string | null): Entry[] =>
  (entries?.split(',') ?? []).map((entry) => {
    const [id, version] = [entry.slice(0, ID_LENGTH), entry.slice(ID_LENGTH)];
    return { id, version, text: shelf.get(storeKey(storeId, id), version) };
  });

const missingOf = (entries: readonly Entry[]): string[] => entries.filter(({ text }) => text === undefined).map(({ id }) => id);

const fill = (entries: readonly Entry[], rendered: ReadonlyMap<string, Item>): void => {
  for (const entry of entries) {
    const item = rendered.get(entry.id);
    if (item?.version === entry.version) entry.text = item.text;
  }
};

const placeOf = (next: string): string => {
  const [createdAt = '', id = ''] = next.split(' ');
  return formatPlace({ createdAt, id });
};

/** The item with the fields alone, in the order in which it has them. */
const onlyOf = (text: string, fields: readonly string[]): string => {
  const item = Object.entries(JSON.parse(text) as object);
  return JSON.stringify(Object.fromEntries(item.filter(([name]) => fields.includes(name))));
};

const NONE: ReadonlyMap<string, Item> = new Map();

interface Whole {
  readonly tag: string;
  readonly bytes: Uint8Array;
}

/**
 * Pages whose items are kept with their versions. The page is asked for each time, so its total, its
 * order and the versions are of one snapshot. Only the items that are not kept in their version are
 * rendered, and one of a stampede renders them for all. A rendering in the version that the page
 * names is what the page's snapshot holds. Where a product was changed between the two statements,
 * both run again in one snapshot.
 *
 * The first page, which most ask for, is kept whole as well. Its version is all that PostgreSQL says
 * about it, the versions of its items among them.
 */
export const readingPages = (cache: ReadCache, name: string, rendering: string): ReadPage => {
  const shelf = cache.shelf<string>(name, bytesOf);
  const firstPages = cache.shelf<Whole>(`${name} first`, ({ bytes }) => bytes.length);
  const flights = new Flights<ReadonlyMap<string, Item>>();

  const render = async (storeId: string, ids: readonly string[], items: PageSource['items']) => {
    const rendered = await items(ids);
    for (const { id, version, text } of rendered) shelf.put(storeKey(storeId, id), version, text);
    return new Map(rendered.map((item) => [item.id, item]));
  };

  return async (storeId, { skip, take, after, fields }, source, { has = hasNone } = {}) => {
    // Neither the entries nor a place has a space.
    const named = fields === undefined ? '' : ` fields ${fields.join()}`;
    const nextOf = ({ next }: PageRow): string | null => (next == null ? null : placeOf(next));
    const isFirst = skip === 0 && after == null;
    const place = storeKey(storeId, `${take}${named}`);
    const lookAt = (row: PageRow) => {
      const next = after === undefined ? '' : ` next ${nextOf(row) ?? ''}`;
      const version = `${row.total} ${skip} ${take} ${row.entries ?? ''}${next}${named}`;
      const kept = isFirst ? firstPages.get(place, version) : undefined;
      return { row, version, kept, tag: kept?.tag ?? tagOf(rendering, storeKey(storeId), version) };
    };
    const wholeOf = ({ row, version, tag }: ReturnType<typeof lookAt>, entries: readonly Entry[]): Whole => {
      const items = entries.map(({ text = '' }) => (fields === undefined ? text : onlyOf(text, fields))).join(',');
      const next = after === undefined ? '' : `,"next":${JSON.stringify(nextOf(row))}`;
      const json = `{"items":[${items}],"skip":${skip},"take":${take},"total":${row.total}${next}}`;
      const whole = { tag, bytes: ownBytes(json) };
      if (isFirst) firstPages.put(place, version, whole);
      return whole;
    };

    const found = lookAt(await source.page());
    const { row, tag, kept } = found;
    if (has(tag)) return { tag, bytes: null };
    if (kept) return kept;
    const entries = held(shelf, storeId, row.entries);
    const missing = missingOf(entries);
    if (missing.length === 0) return wholeOf(found, entries);
    const flight = storeKey(storeId, tag);
    const underWay = flights.current(flight)?.catch(() => NONE);
    fill(entries, await (underWay ?? flights.start(flight, () => render(storeId, missing, source.items))));
    if (missingOf(entries).length === 0) return wholeOf(found, entries);
    return source.snapshot(async ({ page, items }) => {
      const now = lookAt(await page());
      const all = held(shelf, storeId, now.row.entries);
      fill(all, await render(storeId, missingOf(all), items));
      return wholeOf(now, all);
    });
  };
};
