import { z } from 'zod';

import { DEFAULT_TAKE, MAX_TAKE, pageOf } from '../../../domain/page.ts';
import { examplePage } from './example-record.ts';

/**
 * Lists have no 400: a value that is repeated or no number falls back to its default, as `pageOf`
 * has it.
 */
export const lenient = (description: string) => z.unknown().optional().meta({ type: 'integer', description });
/** The page's parameters as text; a repeated one counts as none. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The two parameters themselves, for a list that has more. */
export const paging = {
  skip: lenient('How many to skip; 0 by default.'),
  take: lenient(`The most entries to return: ${String(DEFAULT_TAKE)} by default, at most ${String(MAX_TAKE)}.`),
};

/** `?skip&take` of a list, as a Page. */
export const pageQuery = z.object(paging).transform(({ skip, take }) => pageOf({ skip: textOf(skip), take: textOf(take) }));

/** The envelope of a list; its example holds the item's. */
export const pageOfItems = <S extends z.ZodType>(item: S, id: string) => {
  const examples = (item.meta()?.['examples'] as unknown[] | undefined)?.map(examplePage);
  return z
    .object({ items: z.array(item).readonly(), skip: z.int(), take: z.int(), total: z.int() })
    .meta({ id, ...(examples && { examples }) });
};
