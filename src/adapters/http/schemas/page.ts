import { z } from 'zod';

import { DEFAULT_TAKE, MAX_TAKE, pageOf } from '../../../domain/page.ts';
import { examplePage } from './example-record.ts';

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

/** The envelope of a list; its example holds the item's. */
export const pageOfItems = <S extends z.ZodType>(item: S, id: string) => {
  const examples = (item.meta()?.['examples'] as unknown[] | undefined)?.map(examplePage);
  return z
    .object({ items: z.array(item).readonly(), skip: z.int(), take: z.int(), total: z.int() })
    .meta({ id, ...(examples && { examples }) });
};
