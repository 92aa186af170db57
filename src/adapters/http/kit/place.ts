import { z } from 'zod';

import type { Place } from '../../../domain/place.ts';

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

export const after = afterOf('newest');
export const afterOldest = afterOf('oldest');

/** `next` of a page, which a client sends back as `after`. */
export const next = z.string().nullable().meta({
  description: 'Pass it as `after` to get the next page. Null on the last page.',
});

/** The envelope of a list that is newest first. */
export const placedItems = <S extends z.ZodType>(item: S, id: string) => {
  const examples = (item.meta()?.['examples'] as unknown[] | undefined)?.map((example) => ({ items: [example], next: null }));
  return z.object({ items: z.array(item).readonly(), next }).meta({ id, ...(examples && { examples }) });
};

export const asPlacedItems = <T>({ items, next: place }: { readonly items: readonly T[]; readonly next: Place | null }) => ({
  items,
  next: place && cursorOf(place),
});
