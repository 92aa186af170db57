import { isEqual } from '../values/equal.ts';
import type { NewEvent } from '../webhooks/event.ts';
import type { Category } from './product.ts';

const contentOf = ({ id, name, slug, parentId, position }: Category) => ({ id, name, slug, parentId, position });

/** The event of the merchant's write. Null for one that changes nothing but times. */
export const categoryEvent = (before: Category | null, after: Category): NewEvent | null => {
  const content = contentOf(after);
  if (before && isEqual(contentOf(before), content)) return null;
  const type = before ? 'category.updated' : 'category.created';
  return { storeId: after.tenantId, type, resourceId: after.id, origin: null, data: { ...content, origin: null } };
};
