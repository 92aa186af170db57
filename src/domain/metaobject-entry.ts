import { parseDateTime } from './calendar.ts';
import { REFERENCE_TYPES, faultList, isReference, parseHandle } from './metaobject.ts';
import type { Definition, EntryContent, EntryTranslation, FieldDefinition, FieldType, Matches, Reference } from './metaobject.ts';
import { checkField } from './metaobject-validation.ts';
import { isRecord } from './metaobject-value.ts';

/** An entry as it arrives: the body's members are judged here, not before, so that every fault is reported at once. */
export interface EntryInput {
  readonly handle: string;
  readonly fields?: unknown;
  readonly translations?: unknown;
  readonly publishedAt?: unknown;
  readonly seoTitle?: unknown;
  readonly seoDescription?: unknown;
}

export interface ValidEntry extends EntryContent {
  readonly handle: string;
  /** To be looked up: each target must exist in the store. */
  readonly references: readonly Reference[];
}

type Faults = ReturnType<typeof faultList>;

const MAX_SEO_TITLE = 255;
const MAX_SEO_DESCRIPTION = 1000;
const LOCALE = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/;
/** What a translation can say in another language: `{key: text}`. */
const TRANSLATABLE: readonly FieldType[] = ['single_line_text', 'multi_line_text', 'rich_text', 'url'];

const optionalText = (faults: Faults, at: string, value: unknown, maxLength: number): string | null => {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') faults.add(at, 'must be a text or null');
  else if (Array.from(value).length > maxLength) faults.add(at, `must have at most ${maxLength} characters`);
  else return value;
  return null;
};

const publishedAt = (faults: Faults, value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  const time = typeof value === 'string' ? parseDateTime(value) : null;
  if (time === null) faults.add('publishedAt', 'must be a time with its zone (YYYY-MM-DDThh:mm:ssZ) or null');
  return time;
};

const knownKeys = (definition: Definition): Map<string, FieldDefinition> => new Map(definition.fields.map((field) => [field.key, field]));

const fieldsOf = (faults: Faults, definition: Definition, input: unknown, matches: Matches): Record<string, unknown> => {
  if (!isRecord(input)) {
    faults.add('fields', input === undefined ? 'is required' : 'must be an object');
    return {};
  }
  const known = knownKeys(definition);
  for (const key of Object.keys(input)) if (!known.has(key)) faults.add(`fields.${key}`, 'is no field of the type');
  const checked = definition.fields.map((field) => {
    const { value, faults: found } = checkField(field, Object.hasOwn(input, field.key) ? input[field.key] : undefined, matches);
    faults.add(`fields.${field.key}`, ...found);
    return [field.key, value] as const;
  });
  return Object.fromEntries(checked.filter(([, value]) => value !== undefined));
};

const translatedField = (faults: Faults, at: string, field: FieldDefinition | undefined, input: unknown, matches: Matches): string | null => {
  if (input === null) return null;
  if (!field) faults.add(at, 'is no field of the type');
  else if (field.list || !TRANSLATABLE.includes(field.type)) faults.add(at, 'cannot be translated');
  else if (typeof input !== 'string') faults.add(at, 'must be a text or null');
  else {
    // A choice is named in the entry's own language, so a translation need not be one.
    const { choices: _choices, ...validations } = field.validations;
    faults.add(at, ...checkField({ ...field, required: false, validations }, input, matches).faults);
    return input;
  }
  return null;
};

const translationOf = (faults: Faults, at: string, definition: Definition, input: unknown, matches: Matches): EntryTranslation => {
  const empty = { fields: {}, seoTitle: null, seoDescription: null };
  if (!isRecord(input)) {
    faults.add(at, 'must be an object');
    return empty;
  }
  const texts = input['fields'] ?? {};
  if (!isRecord(texts)) faults.add(`${at}.fields`, 'must be an object');
  const known = knownKeys(definition);
  const fields = Object.entries(isRecord(texts) ? texts : {}).map(
    ([key, value]) => [key, translatedField(faults, `${at}.fields.${key}`, known.get(key), value, matches)] as const,
  );
  return {
    fields: Object.fromEntries(fields.filter((field): field is readonly [string, string] => field[1] !== null)),
    seoTitle: optionalText(faults, `${at}.seoTitle`, input['seoTitle'], MAX_SEO_TITLE),
    seoDescription: optionalText(faults, `${at}.seoDescription`, input['seoDescription'], MAX_SEO_DESCRIPTION),
  };
};

const translationsOf = (faults: Faults, definition: Definition, input: unknown, matches: Matches): EntryContent['translations'] => {
  if (input === undefined || input === null) return null;
  if (!isRecord(input)) {
    faults.add('translations', 'must be an object or null');
    return null;
  }
  const locales = Object.entries(input).map(([locale, translation]) => {
    const at = `translations.${locale}`;
    if (!LOCALE.test(locale)) faults.add(at, 'is no locale');
    return [locale, translationOf(faults, at, definition, translation, matches)] as const;
  });
  return Object.fromEntries(locales);
};

const referencesOf = (definition: Definition, fields: Readonly<Record<string, unknown>>): Reference[] =>
  definition.fields.flatMap(({ key, type }) => {
    if (!isReference(type) || !Object.hasOwn(fields, key)) return [];
    const ids = [fields[key]].flat();
    return ids.filter((id) => typeof id === 'string').map((id) => ({ kind: REFERENCE_TYPES[type], id, key }));
  });

/**
 * The entry as it is to be stored, or every fault of it at once under `handle`, `fields.<key>`, `translations.<locale>.fields.<key>`,
 * `seoTitle`, ... (decisions.md, Metaobjects). References are collected, not looked up.
 */
export const validateEntry = (
  definition: Definition,
  entry: EntryInput,
  { matches }: { readonly matches: Matches },
): { readonly value: ValidEntry } | { readonly errors: Record<string, string[]> } => {
  const faults = faultList();
  const handle = parseHandle(entry.handle);
  if (handle === null) faults.add('handle', 'must match ^[a-z0-9]+([-_][a-z0-9]+)*$ and have at most 255 characters');
  const fields = fieldsOf(faults, definition, entry.fields, matches);
  const content = {
    fields,
    translations: translationsOf(faults, definition, entry.translations, matches),
    publishedAt: publishedAt(faults, entry.publishedAt),
    seoTitle: optionalText(faults, 'seoTitle', entry.seoTitle, MAX_SEO_TITLE),
    seoDescription: optionalText(faults, 'seoDescription', entry.seoDescription, MAX_SEO_DESCRIPTION),
  };
  if (handle === null || faults.any()) return { errors: faults.errors };
  return { value: { handle, ...content, references: referencesOf(definition, fields) } };
};

/** The faults of references whose target isn't in the store. */
export const missingReferences = (references: readonly Reference[], existing: readonly Reference[]): Record<string, string[]> => {
  const found = new Set(existing.map(({ kind, id }) => `${kind} ${id}`));
  const faults = faultList();
  for (const { kind, id, key } of references) if (!found.has(`${kind} ${id}`)) faults.add(`fields.${key}`, `there is no ${kind} ${id}`);
  return faults.errors;
};
