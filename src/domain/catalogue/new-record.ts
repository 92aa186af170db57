import type { Standard } from './product.ts';

/** The standard fields of a new record. `now` is ISO 8601. */
export const newRecord = (id: string, storeId: string, now: string): Standard => ({
  id,
  tenantId: storeId,
  createdAt: now,
  updatedAt: null,
  deletedAt: null,
  isDeleted: false,
});
