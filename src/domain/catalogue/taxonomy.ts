import { ok, type Result } from '../result.ts';
import { isLongerThan, lengthRule } from '../values/text.ts';
import { completeRecord } from './fields/complete.ts';
import { CATEGORY, TAX_CLASS } from './fields/taxonomy-fields.ts';
import { newRecord } from './new-record.ts';
import { notInStore } from './owner-texts.ts';
import type {
  Category,
  CategoryDocument,
  Product,
  ProductDocument,
  GivenStandard,
  Standard,
  TaxClass,
  TaxClassDocument,
} from './product.ts';
import { MAX_SLUG_LENGTH, normaliseSlug, slugAsBefore } from './slug.ts';
import type { TaxonomyClaims } from './taxonomy-claims.ts';
import { FirstFault, type WriteContext } from './write-context.ts';

/**
 * Finds records by any of several keys in constant time. Of two records with the same key it finds
 * the first. No record has the key null.
 */
export class Lookup<T> {
  private readonly byKey = new Map<string | null, T>();

  constructor(
    records: readonly T[],
    private readonly keysOf: (record: T) => readonly (string | null)[],
  ) {
    for (const record of records) this.add(record);
  }

  add(record: T): void {
    for (const key of this.keysOf(record)) {
      if (key !== null && !this.byKey.has(key)) this.byKey.set(key, record);
    }
  }

  /** The record of the first key that has one. */
  find(...keys: readonly (string | null)[]): T | undefined {
    for (const key of keys) {
      const found = this.byKey.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

type Id = string | null | undefined;

const isAbsent = (given: unknown, id: unknown): boolean => given === undefined && id === undefined;

type Kind = 'id' | 'slug' | 'code' | 'name';

/** The key by which a record with this value is found. Null without a value. */
const keyOf = (kind: Kind, value: Id): string | null => (value == null ? null : `${kind}:${value}`);

/**
 * The store's categories and tax classes as far as some documents name them, and the new ones that
 * the documents embed.
 */
export class Taxonomy {
  readonly newCategories: Category[] = [];
  readonly newTaxClasses: TaxClass[] = [];
  private readonly categories: Lookup<Category>;
  private readonly taxClasses: Lookup<TaxClass>;

  constructor(
    categories: readonly Category[],
    taxClasses: readonly TaxClass[],
    private readonly context: WriteContext,
  ) {
    this.categories = new Lookup(categories, ({ id, slug, name }) => [keyOf('id', id), keyOf('slug', slug), keyOf('name', name)]);
    this.taxClasses = new Lookup(taxClasses, ({ id, code, name }) => [keyOf('id', id), keyOf('code', code), keyOf('name', name)]);
  }

  category(id: Id): Category | null {
    return this.categories.find(keyOf('id', id)) ?? null;
  }

  taxClass(id: Id): TaxClass | null {
    return this.taxClasses.find(keyOf('id', id)) ?? null;
  }

  /** Returns true when the documents of these claims name only records of the store. */
  hasAll({ categories, taxClasses }: TaxonomyClaims): boolean {
    const has = (known: Pick<Lookup<unknown>, 'find'>, kind: Kind, values: readonly string[]): boolean =>
      values.every((value) => known.find(keyOf(kind, value)) !== undefined);
    return (
      has(this.categories, 'id', categories.ids) &&
      has(this.categories, 'slug', categories.slugs) &&
      has(this.categories, 'name', categories.names) &&
      has(this.taxClasses, 'id', taxClasses.ids) &&
      has(this.taxClasses, 'code', taxClasses.codes) &&
      has(this.taxClasses, 'name', taxClasses.names)
    );
  }

  /**
   * Replaces the objects that the document embeds by ids. Refuses a document that names an unknown
   * id.
   */
  resolve(document: ProductDocument): Result<ProductDocument, 'invalid'> {
    const faults = new FirstFault();
    const { category, categoryId, taxClass, taxClassId, productCategories } = document;
    const resolved: ProductDocument = {
      ...document,
      categoryId: isAbsent(category, categoryId) ? undefined : this.categoryId(category, categoryId, 'category', faults),
      taxClassId: isAbsent(taxClass, taxClassId) ? undefined : this.taxClassId(taxClass, taxClassId, faults),
      productCategories: productCategories?.map((link, index) => ({
        ...link,
        categoryId: this.categoryId(link.category, link.categoryId, `productCategories[${index}].category`, faults) ?? undefined,
      })),
    };
    return faults.refusal ?? ok(resolved);
  }

  /**
   * The new categories and tax classes that these products name, and the parents of the categories.
   * Those that only refused documents name are left out.
   */
  newOf(products: readonly Product[]): { readonly categories: Category[]; readonly taxClasses: TaxClass[] } {
    const named = new Set<string | null>();
    for (const { categoryId, taxClassId, productCategories } of products) {
      for (const id of [categoryId, taxClassId, ...productCategories.map((link) => link.categoryId)]) named.add(id);
    }
    // A parent was made before its children.
    for (const { id, parentId } of this.newCategories.toReversed()) if (named.has(id)) named.add(parentId);
    const isNamed = ({ id }: Standard): boolean => named.has(id);
    return { categories: this.newCategories.filter(isNamed), taxClasses: this.newTaxClasses.filter(isNamed) };
  }

  private standard(given: GivenStandard, id: Id): Standard {
    const { storeId, nextId, now } = this.context;
    const record = newRecord(given.id ?? id ?? nextId(), storeId, given.createdAt ?? now);
    return { ...record, updatedAt: given.updatedAt ?? null };
  }

  private categoryId(given: CategoryDocument | null | undefined, id: Id, field: string, faults: FirstFault): string | null {
    const named = this.category(id);
    if (named) return named.id;
    if (given) return this.categoryOf(given, id, field, faults)?.id ?? null;
    if (id != null) faults.add(notInStore(`${field}Id`, id));
    return null;
  }

  /** The category that the document means, or a new one. A document with a fault makes nothing. */
  private categoryOf(given: CategoryDocument, id: Id, field: string, faults: FirstFault): Category | null {
    const slug = given.slug ? normaliseSlug(given.slug) : null;
    if (slug !== null && isLongerThan(slug, MAX_SLUG_LENGTH)) {
      faults.add(`${field}.slug ${lengthRule(MAX_SLUG_LENGTH)}.`);
      return null;
    }
    const wantedId = given.id ?? id ?? null;
    const wantedName = wantedId === null && slug === null ? given.name : undefined;
    const found = this.categories.find(keyOf('id', wantedId), keyOf('slug', slug), keyOf('name', wantedName));
    const known = found ?? this.asBefore(given);
    if (known) return known;
    const name = faults.required(given.name, `${field}.name`);
    faults.atMost(name, CATEGORY.fields.name.max, () => `${field}.name`);
    const parentId = this.categoryId(given.parent, given.parentId, `${field}.parent`, faults);
    if (faults.refusal) return null;
    const rules = { name: () => name, slug: () => slug, parentId: () => parentId };
    const category = completeRecord<Category, CategoryDocument>(CATEGORY, this.standard(given, id), given, rules);
    this.categories.add(category);
    this.newCategories.push(category);
    return category;
  }

  /** The category of this name that version 0.1 stored with another slug, or without one. */
  private asBefore({ slug, name }: CategoryDocument): Category | undefined {
    const before = slug ? slugAsBefore(slug) : undefined;
    const found = before === undefined ? undefined : this.categories.find(keyOf('slug', before), keyOf('name', name));
    return found?.name === name && found?.slug === before ? found : undefined;
  }

  private taxClassId(given: TaxClassDocument | null | undefined, id: Id, faults: FirstFault): string | null {
    const named = this.taxClass(id);
    if (named) return named.id;
    if (given) return this.taxClassOf(given, id, faults)?.id ?? null;
    if (id != null) faults.add(notInStore('taxClassId', id));
    return null;
  }

  private taxClassOf(given: TaxClassDocument, id: Id, faults: FirstFault): TaxClass | null {
    const wantedId = given.id ?? id ?? null;
    const wantedName = wantedId === null && given.code === undefined ? given.name : undefined;
    const found = this.taxClasses.find(keyOf('id', wantedId), keyOf('code', given.code), keyOf('name', wantedName));
    if (found) return found;
    const name = faults.required(given.name ?? given.code, 'taxClass.name');
    const code = given.code ?? name;
    faults.atMost(name, TAX_CLASS.fields.name.max, () => 'taxClass.name');
    faults.atMost(code, TAX_CLASS.fields.code.max, () => 'taxClass.code');
    if (faults.refusal) return null;
    const rules = { name: () => name, code: () => code };
    const taxClass = completeRecord<TaxClass, TaxClassDocument>(TAX_CLASS, this.standard(given, id), given, rules);
    this.taxClasses.add(taxClass);
    this.newTaxClasses.push(taxClass);
    return taxClass;
  }
}
