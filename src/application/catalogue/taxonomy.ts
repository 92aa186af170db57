import type { Ports } from '../../domain/ports/index.ts';
import { deleteCategory } from './delete-category.ts';
import { deleteCollection } from './delete-collection.ts';
import { putCategory } from './put-category.ts';
import { putCollection } from './put-collection.ts';
import { putTaxClass } from './put-tax-class.ts';

export const taxonomyUses = (ports: Ports) => ({
  deleteCategory: deleteCategory(ports),
  deleteCollection: deleteCollection(ports),
  putCategory: putCategory(ports),
  putCollection: putCollection(ports),
  putTaxClass: putTaxClass(ports),
});
