import { z } from 'zod';

import { pageOf } from '../../../domain/page.ts';
import { cursorOf, parseIdCursor } from '../../../domain/values/id-cursor.ts';
import { exampleId } from './example-record.ts';
import { paging, textOf } from './page.ts';

const cursorExample = cursorOf(exampleId(1));

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
    .meta({ description: 'The `next` of an earlier page.', examples: [cursorExample] }),
  take: paging.take,
};

/** The size of a page: by default DEFAULT_TAKE, at most MAX_TAKE. */
export const takeOf = (take: unknown): number => pageOf({ take: textOf(take) }).take;

/** A page of a list that is newest first. */
export const cursorPage = <S extends z.ZodType>(item: S, id: string) => {
  const examples = (item.meta()?.['examples'] as unknown[] | undefined)?.map((example) => ({
    items: [example],
    next: cursorExample,
  }));
  const next = z.string().nullable().meta({
    description: 'The `after` of the next page. Null at the end. A page may be short, even empty, and have a next one.',
  });
  return z.object({ items: z.array(item).readonly(), next }).meta({ id, ...(examples && { examples }) });
};

/** The page as it is answered. */
export const asCursorPage = <T>({ items, next }: { readonly items: readonly T[]; readonly next: string | null }) => ({
  items,
  next: next === null ? null : cursorOf(next),
});

/** One of the values, or several of them. In a query, the parameter is repeated. */
export const several = <const V extends string>(values: readonly V[]) => {
  const one = z.enum(values);
  return z
    .union([one, z.array(one).min(1).max(values.length)])
    .transform((given): readonly V[] => (typeof given === 'string' ? [given] : (given as readonly V[])));
};
