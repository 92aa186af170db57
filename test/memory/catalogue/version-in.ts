import type { LookAhead } from '../../../src/domain/ports/identity/admission.ts';
import { collectionsOf, productsOf, whole } from './catalogue-tables.ts';
import { versionOf } from './json-document.ts';
import type { MemoryState } from '../state.ts';

/** The version of a store's live product or collection; null for an id that it does not have. */
export const versionIn = (
  state: MemoryState,
  storeId: string,
  { kind, id }: Exclude<LookAhead, { kind: 'key' }>,
): string | null => {
  const place = `${storeId}/${id}`;
  if (kind === 'collection') {
    const collection = collectionsOf(state).get(place);
    return collection ? versionOf(collection) : null;
  }
  const product = productsOf(state).get(place);
  return product?.deletedAt === null ? versionOf(whole(state, product)) : null;
};
