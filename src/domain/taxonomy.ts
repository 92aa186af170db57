/* eslint-disable complexity -- defaults, one for each field: the `??` are a list, no branching */
import { needed } from './element.ts';
import type { Making } from './element.ts';
import type { Category, CategoryDocument, ProductDocument, Sketch, TaxClass } from './product.ts';
import { normaliseSlug } from './slug.ts';

type TaxClassDocument = Sketch<TaxClass>;

const chain = (category: CategoryDocument | null | undefined): CategoryDocument[] =>
  category ? [category, ...chain(category.parent)] : [];

/** The categories and tax classes that the documents name, by what they are looked up with. */
export const taxonomyClaims = (documents: readonly ProductDocument[]) => {
  const categories = documents.flatMap(({ category, productCategories }) => [
    ...chain(category),
    ...(productCategories ?? []).flatMap((element) => chain(element.category)),
  ]);
  const taxClasses = documents.flatMap(({ taxClass }) => taxClass ?? []);
  const given = (values: (string | null | undefined)[]): string[] => [...new Set(values.filter((value) => value != null))];
  return {
    categories: {
      ids: given([
        ...categories.flatMap(({ id, parentId }) => [id, parentId]),
        ...documents.flatMap(({ categoryId, productCategories }) => [
          categoryId,
          ...(productCategories ?? []).map((one) => one.categoryId),
        ]),
      ]),
      slugs: given(categories.map(({ slug }) => slug && normaliseSlug(slug))),
      names: given(categories.map(({ name }) => name)),
    },
    taxClasses: {
      ids: given([...taxClasses.map(({ id }) => id), ...documents.map(({ taxClassId }) => taxClassId)]),
      codes: given(taxClasses.map(({ code }) => code)),
      names: given(taxClasses.map(({ name }) => name)),
    },
  };
};

/** The store's categories and tax classes as far as some documents name them, and those that the documents make. */
export class Taxonomy {
  readonly newCategories: Category[] = [];
  readonly newTaxClasses: TaxClass[] = [];

  constructor(
    private readonly categories: Category[],
    private readonly taxClasses: TaxClass[],
    private readonly making: Making,
  ) {}

  category(id: string | null): Category | null {
    return this.categories.find((category) => category.id === id) ?? null;
  }

  taxClass(id: string | null): TaxClass | null {
    return this.taxClasses.find((taxClass) => taxClass.id === id) ?? null;
  }

  /** The document with ids in place of the objects it embeds; throws a Fault when it names what is not there. */
  resolve(document: ProductDocument): ProductDocument {
    return {
      ...document,
      categoryId: this.categoryId(document.category, document.categoryId, 'category'),
      taxClassId: this.taxClassId(document.taxClass, document.taxClassId),
      productCategories: document.productCategories?.map((element, index) => ({
        ...element,
        categoryId:
          this.categoryId(element.category, element.categoryId, `productCategories[${String(index)}].category`) ?? undefined,
      })),
    };
  }

  private standard(
    given: { id?: string | undefined; createdAt?: string | undefined; updatedAt?: string | null | undefined },
    id: string | undefined,
  ) {
    return {
      id: given.id ?? id ?? this.making.nextId(),
      tenantId: this.making.storeId,
      createdAt: given.createdAt ?? this.making.now,
      updatedAt: given.updatedAt ?? null,
      deletedAt: null,
      isDeleted: false,
    };
  }

  private categoryId(given: CategoryDocument | null | undefined, id: string | null | undefined, field: string): string | null {
    if (id != null && this.category(id)) return id;
    if (given) return this.existingOrNew(given, id ?? undefined, field).id;
    return id == null ? null : needed(this.category(id)?.id, `${field}Id ${id} does not exist in this store`);
  }

  private existingOrNew(given: CategoryDocument, id: string | undefined, field: string): Category {
    const slug = given.slug ? normaliseSlug(given.slug) : null;
    const wanted = given.id ?? id;
    const byName = wanted === undefined && slug === null;
    const found = this.categories.find(
      (category) =>
        category.id === wanted || (slug !== null && category.slug === slug) || (byName && category.name === given.name),
    );
    if (found) return found;
    const made: Category = {
      ...this.standard(given, id),
      name: needed(given.name, `${field}.name`),
      slug,
      parentId: this.categoryId(given.parent, given.parentId, `${field}.parent`),
      position: given.position ?? 0,
    };
    this.categories.push(made);
    this.newCategories.push(made);
    return made;
  }

  private taxClassId(given: TaxClassDocument | null | undefined, id: string | null | undefined): string | null {
    if (id != null && this.taxClass(id)) return id;
    if (!given) return id == null ? null : needed(this.taxClass(id)?.id, `taxClassId ${id} does not exist in this store`);
    const wanted = given.id ?? id;
    const byName = wanted == null && given.code === undefined;
    const found = this.taxClasses.find(
      (taxClass) => taxClass.id === wanted || taxClass.code === given.code || (byName && taxClass.name === given.name),
    );
    if (found) return found.id;
    const name = needed(given.name ?? given.code, 'taxClass.name');
    const made = {
      ...this.standard(given, id ?? undefined),
      name,
      code: given.code ?? name,
      isDefault: given.isDefault ?? false,
    };
    this.taxClasses.push(made);
    this.newTaxClasses.push(made);
    return made.id;
  }
}
