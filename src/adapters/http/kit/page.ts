import { z } from 'zod';

import { DEFAULT_TAKE, MAX_TAKE, pageOf, type PlacedPageOf } from '../../../domain/page.ts';
import type { Place } from '../../../domain/place.ts';
import { MAX_NAME_LENGTH } from '../../../domain/values/text.ts';
import { examplePage } from './example-record.ts';
import { afterOldest, cursorOf, next } from './place.ts';
import { textOf } from './text.ts';

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
export const listPaging = { after: afterOldest, ...paging };

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
