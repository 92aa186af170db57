/* eslint-disable complexity -- defaults, one for each field: the `??` are a list, no branching */
import { Fault, needed } from './element.ts';
import type { Making } from './element.ts';
import { Lookup } from './lookup.ts';
import type { Category, CategoryDocument, ProductDocument, Sketch, TaxClass } from './product.ts';
import { MAX_SLUG_LENGTH, normaliseSlug } from './slug.ts';

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

const isAbsent = (given: unknown, id: unknown): boolean => given === undefined && id === undefined;

const byId = (id: string): string => `id:${id}`;
const bySlug = (slug: string): string => `slug:${slug}`;
const byCode = (code: string): string => `code:${code}`;
const byName = (name: string): string => `name:${name}`;

/** The store's categories and tax classes as far as some documents name them, and those that the documents make. */
export class Taxonomy {
  readonly newCategories: Category[] = [];
  readonly newTaxClasses: TaxClass[] = [];

  private readonly categories: Lookup<Category>;
  private readonly taxClasses: Lookup<TaxClass>;

  constructor(
    categories: readonly Category[],
    taxClasses: readonly TaxClass[],
    private readonly making: Making,
  ) {
    this.categories = new Lookup(categories, ({ id, slug, name }) => [
      byId(id),
      ...(slug === null ? [] : [bySlug(slug)]),
      byName(name),
    ]);
    this.taxClasses = new Lookup(taxClasses, ({ id, code, name }) => [byId(id), byCode(code), byName(name)]);
  }

  category(id: string | null): Category | null {
    return this.categories.find(id === null ? null : byId(id)) ?? null;
  }

  taxClass(id: string | null): TaxClass | null {
    return this.taxClasses.find(id === null ? null : byId(id)) ?? null;
  }

  /** The document with ids in place of the objects it embeds; throws a Fault when it names what is not there. */
  resolve(document: ProductDocument): ProductDocument {
    return {
      ...document,
      categoryId: isAbsent(document.category, document.categoryId)
        ? undefined
        : this.categoryId(document.category, document.categoryId, 'category'),
      taxClassId: isAbsent(document.taxClass, document.taxClassId)
        ? undefined
        : this.taxClassId(document.taxClass, document.taxClassId),
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
    if (slug !== null && slug.length > MAX_SLUG_LENGTH) {
      throw new Fault(`${field}.slug: more than ${String(MAX_SLUG_LENGTH)} characters`);
    }
    const wanted = given.id ?? id;
    const name = wanted === undefined && slug === null ? given.name : undefined;
    const found = this.categories.find(
      wanted === undefined ? null : byId(wanted),
      slug === null ? null : bySlug(slug),
      name === undefined ? null : byName(name),
    );
    if (found) return found;
    const made: Category = {
      ...this.standard(given, id),
      name: needed(given.name, `${field}.name`),
      slug,
      parentId: this.categoryId(given.parent, given.parentId, `${field}.parent`),
      position: given.position ?? 0,
    };
    this.categories.add(made);
    this.newCategories.push(made);
    return made;
  }

  private taxClassId(given: TaxClassDocument | null | undefined, id: string | null | undefined): string | null {
    if (id != null && this.taxClass(id)) return id;
    if (!given) return id == null ? null : needed(this.taxClass(id)?.id, `taxClassId ${id} does not exist in this store`);
    const wanted = given.id ?? id;
    const named = wanted == null && given.code === undefined ? given.name : undefined;
    const found = this.taxClasses.find(
      wanted == null ? null : byId(wanted),
      given.code === undefined ? null : byCode(given.code),
      named === undefined ? null : byName(named),
    );
    if (found) return found.id;
    const name = needed(given.name ?? given.code, 'taxClass.name');
    const made = {
      ...this.standard(given, id ?? undefined),
      name,
      code: given.code ?? name,
      isDefault: given.isDefault ?? false,
    };
    this.taxClasses.add(made);
    this.newTaxClasses.push(made);
    return made.id;
  }
}
