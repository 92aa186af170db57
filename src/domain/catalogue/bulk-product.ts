import { pick } from '../values/pick.ts';
import type { NewEvent } from '../webhooks/event.ts';
import type { ParsedChange } from './bulk-change.ts';
import type { ProductStatus } from './product.ts';
import { derivedBase } from './slug.ts';

/** The fields that a bulk update can change, with those that its rules read. */
export interface BulkProduct {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly categoryId: string | null;
  readonly status: ProductStatus;
  readonly publishedAt: string | null;
  readonly variantCount: number;
}

export interface BulkWrite {
  readonly before: BulkProduct;
  readonly after: BulkProduct;
}

const FIELDS = ['name', 'slug', 'metaTitle', 'metaDescription', 'categoryId', 'status', 'publishedAt'] as const;
type BulkField = (typeof FIELDS)[number];

export const changedBulkFields = ({ before, after }: BulkWrite): BulkField[] =>
  FIELDS.filter((field) => before[field] !== after[field]);

/** The slugs that the request names, and the bases of the slugs that an activation may derive. */
export interface SlugClaims {
  readonly slugs: readonly string[];
  readonly bases: readonly string[];
}

/** The slugs to lock and look up before the request can be decided. */
export const bulkSlugClaims = (changes: readonly ParsedChange[], current: ReadonlyMap<string, BulkProduct>): SlugClaims => {
  const slugs = new Set<string>();
  const bases = new Set<string>();
  for (const { id, change } of changes) {
    const product = current.get(id);
    if (!product || !change.ok) continue;
    const { slug, status, name } = change.value;
    if (slug !== undefined && slug !== product.slug) slugs.add(slug);
    const isDerived = status === 'Active' && slug === undefined && product.slug === null;
    const base = isDerived ? derivedBase(name ?? product.name) : null;
    if (base !== null) bases.add(base);
  }
  return { slugs: [...slugs], bases: [...bases] };
};

export const categoryClaims = (changes: readonly ParsedChange[]): string[] => [
  ...new Set(changes.flatMap(({ change }) => (change.ok && change.value.categoryId ? [change.value.categoryId] : []))),
];

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
