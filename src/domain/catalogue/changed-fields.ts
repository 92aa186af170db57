import { isEqual } from '../values/equal.ts';
import type { Product } from './product.ts';

const DERIVED: readonly (keyof Product)[] = ['category', 'taxClass', 'updatedAt'];

/**
 * The names of the fields that differ between two states of a product, without those that follow
 * from others.
 */
export const changedFields = (before: Product, after: Product): (keyof Product)[] =>
  (Object.keys(after) as (keyof Product)[]).filter((field) => !DERIVED.includes(field) && !isEqual(before[field], after[field]));
