import type { Faults } from '../values/fault-list.ts';
import type { Definition, EntryContent, EntryTranslation, FieldDefinition, FieldType, Matches } from './metaobject.ts';
import { checkField } from './metaobject-validation.ts';
import { isRecord } from './metaobject-value.ts';
import { isLongerThan } from '../values/text.ts';

/** Locales of one entry or product at most. */
export const MAX_LOCALES = 200;
export const MAX_SEO_TITLE = 255;
export const MAX_SEO_DESCRIPTION = 1000;
const LOCALE = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/;
/** What a translation can say in another language: `{key: text}`. */
const TRANSLATABLE: readonly FieldType[] = ['single_line_text', 'multi_line_text', 'rich_text', 'url'];

/** A text of the entry's own that may be null or left out; otherwise a fault under `at`. */
export const optionalText = (faults: Faults, at: string, value: unknown, maxLength: number): string | null => {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') faults.add(at, 'must be a text or null');
  else if (isLongerThan(value, maxLength)) faults.add(at, `must have at most ${maxLength} characters`);
  else return value;
  return null;
};

/** The definition's fields by key. */
export const knownKeys = (definition: Definition): Map<string, FieldDefinition> =>
  new Map(definition.fields.map((field) => [field.key, field]));

const translatedField = (
  faults: Faults,
  at: string,
  field: FieldDefinition | undefined,
  input: unknown,
  matches: Matches,
): string | null => {
  if (input === null) return null;
  if (!field) faults.add(at, 'is not a field of the type');
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

const translationOf = (
  faults: Faults,
  at: string,
  definition: Definition,
  input: unknown,
  matches: Matches,
): EntryTranslation => {
  const empty = { fields: {}, seoTitle: null, seoDescription: null };
  if (!isRecord(input)) {
    faults.add(at, 'must be an object');
    return empty;
  }
  const texts = input['fields'] ?? {};
  if (!isRecord(texts)) faults.add(`${at}.fields`, 'must be an object');
  const known = knownKeys(definition);
  const fields: [string, string][] = [];
  for (const [key, value] of Object.entries(isRecord(texts) ? texts : {})) {
    if (faults.isFull()) break;
    const text = translatedField(faults, `${at}.fields.${key}`, known.get(key), value, matches);
    if (text !== null) fields.push([key, text]);
  }
  return {
    fields: Object.fromEntries(fields),
    seoTitle: optionalText(faults, `${at}.seoTitle`, input['seoTitle'], MAX_SEO_TITLE),
    seoDescription: optionalText(faults, `${at}.seoDescription`, input['seoDescription'], MAX_SEO_DESCRIPTION),
  };
};

/** `{locale: {fields: {key: text}, seoTitle, seoDescription}}` as it is stored; faults under `translations.<locale>.fields.<key>` and the like. */
export const translationsOf = (
  faults: Faults,
  definition: Definition,
  input: unknown,
  matches: Matches,
): EntryContent['translations'] => {
  if (input === undefined || input === null) return null;
  if (!isRecord(input)) {
    faults.add('translations', 'must be an object or null');
    return null;
  }
  const entries = Object.entries(input);
  if (entries.length > MAX_LOCALES) {
    faults.add('translations', `must have at most ${MAX_LOCALES} locales`);
    return null;
  }
  const locales = entries.map(([locale, translation]) => {
    const at = `translations.${locale}`;
    if (!LOCALE.test(locale)) faults.add(at, 'is no locale');
    return [locale, translationOf(faults, at, definition, translation, matches)] as const;
  });
  return Object.fromEntries(locales);
};
