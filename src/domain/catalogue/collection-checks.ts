import { ok, refuse, type Refusal, type Result } from '../result.ts';
import { MAX_FAULTS } from '../values/fault-list.ts';
import { belongsTo } from './owner-texts.ts';
import type { Collection, CollectionDocument } from './product.ts';
import { parseSlug } from './slug.ts';

const firstRepeated = (ids: readonly string[]): string[] => {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) repeated.add(id);
    if (repeated.size >= MAX_FAULTS) break;
    seen.add(id);
  }
  return [...repeated];
};

/** The collection of a document, as far as it can be judged without the store. */
export const parseCollection = (id: string, { title, handle, productIds }: CollectionDocument): Result<Collection, 'invalid'> => {
  const parsed = handle == null ? ok(null) : parseSlug(handle, 'handle');
  if (!parsed.ok) return refuse('invalid', parsed.message);
  const repeated = firstRepeated(productIds);
  if (repeated.length > 0) return refuse('invalid', `productIds contains these ids more than once: ${repeated.join(', ')}.`);
  return ok({ id, title, handle: parsed.value, productIds });
};

/** Refuses a collection with products that its store does not have. */
export const checkProducts = (missing: readonly string[]): Refusal<'invalid'> | null => {
  if (missing.length === 0) return null;
  const ids = missing.slice(0, MAX_FAULTS).join(', ');
  return refuse('invalid', `productIds contains ids that are not products of this store: ${ids}.`);
};

/** Refuses a handle that another collection has. */
export const checkHandle = ({ id, handle }: Collection, holder: string | null): Refusal<'conflict'> | null =>
  handle === null || holder === null || holder === id
    ? null
    : refuse('conflict', belongsTo('handle', handle, `collection ${holder}`));
