import { z } from 'zod';

import { pageOf } from '../../../domain/page.ts';
import { idCursorOf, parseIdCursor } from '../../../domain/values/id-cursor.ts';
import { exampleId } from './example-record.ts';
import { paging, singleText } from './page.ts';

/** A place in the feed of events. */
export const FEED_CURSOR_EXAMPLE = 'Mi52MS5rMS4';

const cursorExample = idCursorOf(exampleId(1));

/** `?after&take` of a list that is newest first. */
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

/** The size of a page: by default DEFAULT_TAKE, at most MAX_TAKE. */
export const takeOf = (take: unknown): number => pageOf({ take: singleText(take) }).take;

export const cursorPage = <S extends z.ZodType>(item: S, id: string) => {
  const examples = (item.meta()?.['examples'] as unknown[] | undefined)?.map((example) => ({
    items: [example],
    next: cursorExample,
  }));
  const next = z.string().nullable().meta({
    description: 'Pass it as `after` to get the next page. Null on the last page. Earlier pages may be short or even empty.',
  });
  return z.object({ items: z.array(item).readonly(), next }).meta({ id, ...(examples && { examples }) });
};

export const asCursorPage = <T>({ items, next }: { readonly items: readonly T[]; readonly next: string | null }) => ({
  items,
  next: next === null ? null : idCursorOf(next),
});
