import { isEqual } from '../values/equal.ts';
import { pick } from '../values/pick.ts';
import type { NewEvent } from '../webhooks/event.ts';
import { CATEGORY_CONTENT, TAX_CLASS_CONTENT } from './fields/taxonomy-fields.ts';
import type { Category, Standard, TaxClass } from './product.ts';

/** The event of the merchant's write. There is no event for a write that changes nothing but times. */
export type EventsOf<T> = (before: T | null, after: T) => NewEvent[];

const eventsOf =
  <T extends Standard>(kind: 'category' | 'tax_class', fields: readonly (keyof T)[]): EventsOf<T> =>
  (before, after) => {
    const content = pick(after, fields);
    if (before && isEqual(pick(before, fields), content)) return [];
    const type = `${kind}.${before ? 'updated' : 'created'}` as const;
    return [{ storeId: after.tenantId, type, resourceId: after.id, origin: null, data: { ...content, origin: null } }];
  };

export const categoryEvents = eventsOf<Category>('category', CATEGORY_CONTENT);
export const taxClassEvents = eventsOf<TaxClass>('tax_class', TAX_CLASS_CONTENT);
