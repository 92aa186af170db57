import { z } from 'zod';

import { DEFAULT_TAKE, MAX_TAKE, pageOf, type PlacedPageOf } from '../../../domain/page.ts';
import type { Place } from '../../../domain/place.ts';
import { idCursorOf, parseIdCursor } from '../../../domain/values/id-cursor.ts';
import { MAX_NAME_LENGTH } from '../../../domain/values/text.ts';
import { exampleId, examplePage } from './example-record.ts';
import { textOf } from './text.ts';

// Three kinds of paging. By position: lists that a person pages through have a total. By place: logs grow at their beginning
// while they are read. In the feed: its places have no gaps and outlive their events (webhooks/events.ts).

/** A place in the feed of events. */
export const FEED_CURSOR_EXAMPLE = 'Mi52MS5rMS4';

/**
 * Lists have no 400: a value that is repeated or no number falls back to its default, as `pageOf`
 * has it.
 */
export const lenient = (description: string) => z.unknown().optional().meta({ type: 'integer', description });
/** The page's parameters as text; a repeated one counts as none. */
export const singleText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const paging = {
  skip: lenient('The number of entries to skip. Default: 0, also for negative or invalid values.'),
  take: lenient(
    `Page size. Default: ${DEFAULT_TAKE}, also for negative or invalid values. Values above ${MAX_TAKE} are treated as ${MAX_TAKE}, and 0 as 1.`,
  ),
};

/** The size of a page: by default DEFAULT_TAKE, at most MAX_TAKE. */
export const takeOf = (take: unknown): number => pageOf({ take: singleText(take) }).take;

const PLACE = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A place as a cursor, which a client sends back unchanged. */
export const cursorOf = ({ at, id }: Place): string => Buffer.from(`${String(at)}.${id}`).toString('base64url');

const placeOf = (cursor: string): Place | null => {
  const [, at = '', id = ''] = PLACE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const place = { at: Number(at), id };
  return id !== '' && cursorOf(place) === cursor ? place : null;
};

/** `?after` of a list that begins with its `first` entry. */
const afterOf = (first: 'newest' | 'oldest') =>
  z
    .string()
    .transform((cursor, context): Place => {
      const place = placeOf(cursor);
      if (place) return place;
      context.addIssue({ code: 'custom', message: 'must be the value of `next` of an earlier page' });
      return z.NEVER;
    })
    .optional()
    .meta({ description: `The \`next\` of the previous page. By default, the list starts with the ${first} entry.` });

/** `?after&take` of a list that is newest first. */
export const placePaging = { after: afterOf('newest'), take: paging.take };

interface GivenFrom<After> {
  readonly after?: After | undefined;
  readonly take?: unknown;
}

/** The beginning of a page, as given by its parameters. */
export const fromOf = <After>({ after, take }: GivenFrom<After>) => ({ after: after ?? null, take: takeOf(take) });

/** `next` of a page, which a client sends back as `after`. */
const next = z.string().nullable().meta({
  description: 'Pass it as `after` to get the next page. Null on the last page.',
});

const envelope = <S extends z.ZodType, N extends z.ZodType>(item: S, id: string, next: N, nextExample: string | null) => {
  const examples = (item.meta()?.['examples'] as unknown[] | undefined)?.map((one) => ({ items: [one], next: nextExample }));
  return z.object({ items: z.array(item).readonly(), next }).meta({ id, ...(examples && { examples }) });
};

/** The envelope of a list that is newest first. */
export const placedItems = <S extends z.ZodType>(item: S, id: string) => envelope(item, id, next, null);

export const asPlacedItems = <T>({ items, next: place }: { readonly items: readonly T[]; readonly next: Place | null }) => ({
  items,
  next: place && cursorOf(place),
});

const cursorExample = idCursorOf(exampleId(1));

/** `?after&take` of a list that is in the order of its ids. */
export const cursorPaging = {
  after: z
    .string()
    .transform((text, context) => {
      const id = parseIdCursor(text);
      if (id === null) context.addIssue('must be the value of `next` of an earlier page');
      return id;
    })
    .optional()
    .meta({
      description: 'The `next` of the previous page. By default, the list starts with the newest entry.',
      examples: [cursorExample],
    }),
  take: paging.take,
};

const nextId = z.string().nullable().meta({
  description: 'Pass it as `after` to get the next page. Null on the last page. Earlier pages may be short or even empty.',
});

export const cursorPage = <S extends z.ZodType>(item: S, id: string) => envelope(item, id, nextId, cursorExample);

export const asCursorPage = <T>({ items, next }: { readonly items: readonly T[]; readonly next: string | null }) => ({
  items,
  next: next && idCursorOf(next),
});

/** `?skip&take` of a list, as a Page. */
export const pageQuery = z
  .object(paging)
  .transform(({ skip, take }) => pageOf({ skip: singleText(skip), take: singleText(take) }));

/** `?q` of a list: a text in one of these. */
export const searched = (what: string) =>
  textOf({ min: 1, max: MAX_NAME_LENGTH })
    .optional()
    .meta({ description: `Only entries with this text in ${what}, case-insensitive.` });

/** `?after&skip&take` of a list that is oldest first. */
export const listPaging = { after: afterOf('oldest'), ...paging };

interface ListQuery {
  readonly after?: Place | undefined;
  readonly skip?: unknown;
  readonly take?: unknown;
}

/** The query of such a list as its page and its filter. */
export const asListQuery = <Q extends ListQuery>({ after, skip, take, ...filter }: Q) => ({
  page: { ...pageOf({ skip: singleText(skip), take: singleText(take) }), after },
  filter,
});

/** The envelope of such a list; its example holds the item's. */
export const listOfItems = <S extends z.ZodType>(item: S, id: string) => {
  const examples = (item.meta()?.['examples'] as unknown[] | undefined)?.map((one) => ({ ...examplePage(one), next: null }));
  const total = z.int().meta({ description: 'The exact number of entries that match.' });
  return z
    .object({ items: z.array(item).readonly(), skip: z.int(), take: z.int(), total, next })
    .meta({ id, ...(examples && { examples }) });
};

export const asListPage = <T>({ next: place, ...page }: PlacedPageOf<T>) => ({ ...page, next: place && cursorOf(place) });
