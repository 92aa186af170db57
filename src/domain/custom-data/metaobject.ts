import { refuse } from '../result.ts';

export const REFERENCE_TYPES = {
  product_reference: 'product',
  variant_reference: 'variant',
  collection_reference: 'collection',
  category_reference: 'category',
  media_reference: 'media',
  metaobject_reference: 'metaobject',
} as const;

export const SCALAR_TYPES = [
  'single_line_text',
  'multi_line_text',
  'rich_text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'date_time',
  'url',
  'color',
  'money',
  'json',
] as const;

export type ReferenceType = keyof typeof REFERENCE_TYPES;
export type ReferenceKind = (typeof REFERENCE_TYPES)[ReferenceType];
export type FieldType = (typeof SCALAR_TYPES)[number] | ReferenceType;

export const FIELD_TYPES: readonly FieldType[] = [...SCALAR_TYPES, ...(Object.keys(REFERENCE_TYPES) as ReferenceType[])];

/**
 * `min` and `max` are numbers, or dates in a field of dates. Lengths count characters. A regex
 * matches anywhere unless it is anchored.
 */
export interface Validations {
  readonly min?: number | string | undefined;
  readonly max?: number | string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly regex?: string | undefined;
  readonly choices?: readonly (string | number)[] | undefined;
}

export interface FieldDefinition {
  readonly key: string;
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  /** True for an array of at most 128 values of the type. */
  readonly list: boolean;
  readonly validations: Validations;
}

/** A type of metaobject, as the merchant defines it (docs/specification/metaobjects.md, "Definitions"). */
export interface Definition {
  readonly type: string;
  readonly name: string;
  readonly fields: readonly FieldDefinition[];
}

/** Tests a pattern against a text, in time linear in both. */
export type Matches = (pattern: string, text: string) => boolean;

/** A record that a value names. It must exist in the store. `key` is the field's. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly id: string;
  readonly key: string;
}

export interface EntryTranslation {
  readonly fields: Readonly<Record<string, string>>;
  readonly seoTitle: string | null;
  readonly seoDescription: string | null;
}

/** An entry as it is stored. Times are ISO 8601 in UTC, ids are in lower case, and no field is null. */
export interface EntryContent {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly translations: Readonly<Record<string, EntryTranslation>> | null;
  readonly publishedAt: string | null;
  readonly seoTitle: string | null;
  readonly seoDescription: string | null;
}

/**
 * An entry belongs to the installation that made it. Times are ISO 8601 in UTC with milliseconds.
 */
export interface Entry extends EntryContent {
  readonly id: string;
  readonly installationId: string;
  readonly type: string;
  readonly handle: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export const MAX_FIELDS = 40;
export const MAX_LIST = 128;
export const MAX_CHOICES = 128;
/** UTF-8 bytes. */
export const MAX_VALUE_BYTES = 65_536;
export const MAX_ENTRY_JSON_BYTES = 131_072;

export const TYPE_RULE = 'must have 1 to 64 letters, digits, - and _, and must begin with a letter or digit';
const TYPE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/**
 * Tested before lower-casing, because some letters outside ASCII have an ASCII letter as their
 * lower case.
 */
const HANDLE = /^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/;

export const isMetaobjectType = (text: string): boolean => TYPE.test(text);

/**
 * The handle in lower case, as it is kept. Null unless it matches `^[a-z0-9]+([-_][a-z0-9]+)*$` and
 * has at most 255 characters.
 */
export const parseHandle = (text: string): string | null => (text.length <= 255 && HANDLE.test(text) ? text.toLowerCase() : null);

export const isReference = (type: FieldType): type is ReferenceType => Object.hasOwn(REFERENCE_TYPES, type);

export const fieldsByKey = ({ fields }: Definition): Map<string, FieldDefinition> =>
  new Map(fields.map((field) => [field.key, field]));

/** Compares the entry at the beginning of the write with the version that the writer has seen. Null is an entry that does not exist. */
export type EntryCondition = (present: Entry | null) => boolean;

/** Refuses a write whose writer has seen another state of the entry. */
export const STALE_ENTRY = refuse('precondition_failed', 'The entry is not the one that If-Match names.');

/** The public text on a key that the definition does not have. */
export const NOT_A_FIELD = 'is not a field of this type';
