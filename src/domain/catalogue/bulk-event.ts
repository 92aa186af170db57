import type { NewEvent } from '../webhooks/event.ts';
import { changedBulkFields, type BulkWrite } from './bulk-product.ts';
import { pick } from '../values/pick.ts';

/** The product.updated event of one write. `origin` is the installation that made the change. */
export const updatedEvent = (storeId: string, origin: string, write: BulkWrite): NewEvent => {
  const fields = changedBulkFields(write);
  const { id } = write.after;
  return {
    storeId,
    type: 'product.updated',
    resourceId: id,
    origin,
    data: { id, changedFields: fields, previous: pick(write.before, fields), current: pick(write.after, fields), origin },
  };
};
