import type { CategoryDocument, ProductDocument } from './product.ts';
import { normaliseSlug } from './slug.ts';

const withParents = (category: CategoryDocument | null | undefined): CategoryDocument[] =>
  category ? [category, ...withParents(category.parent)] : [];

const distinct = (values: readonly (string | null | undefined)[]): string[] => [
  ...new Set(values.filter((value) => value != null)),
];

const categoryClaims = (documents: readonly ProductDocument[]) => {
  const links = documents.flatMap(({ productCategories }) => productCategories ?? []);
  const embedded = [...documents, ...links].flatMap(({ category }) => withParents(category));
  return {
    ids: distinct([
      ...embedded.flatMap(({ id, parentId }) => [id, parentId]),
      ...documents.map(({ categoryId }) => categoryId),
      ...links.map(({ categoryId }) => categoryId),
    ]),
    slugs: distinct(embedded.map(({ slug }) => slug && normaliseSlug(slug))),
    names: distinct(embedded.map(({ name }) => name)),
  };
};

const taxClassClaims = (documents: readonly ProductDocument[]) => {
  const embedded = documents.flatMap(({ taxClass }) => taxClass ?? []);
  return {
    ids: distinct([...embedded.map(({ id }) => id), ...documents.map(({ taxClassId }) => taxClassId)]),
    codes: distinct(embedded.map(({ code }) => code)),
    names: distinct(embedded.map(({ name }) => name)),
  };
};

/** The ids, slugs, codes and names by which the documents name categories and tax classes. */
export const taxonomyClaims = (documents: readonly ProductDocument[]) => ({
  categories: categoryClaims(documents),
  taxClasses: taxClassClaims(documents),
});

export type TaxonomyClaims = ReturnType<typeof taxonomyClaims>;
