import { isLongerThan, lengthRule } from '../values/text.ts';
import type { Faults } from '../values/fault-list.ts';
import {
  NOT_A_FIELD,
  fieldsByKey,
  type Definition,
  type EntryContent,
  type EntryTranslation,
  type FieldDefinition,
  type FieldType,
} from './metaobject.ts';
import { parseFieldValue, type EntryCheck } from './metaobject-validation.ts';
import { isRecord } from './metaobject-value.ts';

export const MAX_LOCALES = 200;
export const MAX_SEO_TITLE = 255;
export const MAX_SEO_DESCRIPTION = 1000;
const LOCALE = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/;
/** The types that can be translated, as `{key: text}`. */
const TRANSLATABLE: readonly FieldType[] = ['single_line_text', 'multi_line_text', 'rich_text', 'url'];
const TEXT_OR_NULL = 'must be a string or null';

/**
 * An optional text of the entry. Null when it is absent or has a fault, which is added under `at`.
 */
export const optionalText = (faults: Faults, at: string, value: unknown, maxLength: number): string | null => {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') faults.add(at, TEXT_OR_NULL);
  else if (isLongerThan(value, maxLength)) faults.add(at, lengthRule(maxLength));
  else return value;
  return null;
};

const translatedText = (check: EntryCheck, at: string, field: FieldDefinition | undefined, input: unknown): string | null => {
  const { faults } = check;
  if (input === null) return null;
  if (!field) faults.add(at, NOT_A_FIELD);
  else if (field.list || !TRANSLATABLE.includes(field.type)) faults.add(at, 'cannot be translated');
  else if (typeof input !== 'string') faults.add(at, TEXT_OR_NULL);
  else {
    // Choices are in the entry's language, so they do not apply to a translation.
    const validations = { ...field.validations, choices: undefined };
    parseFieldValue(check, at, { ...field, required: false, validations }, input);
    return input;
  }
  return null;
};

const translatedTexts = (
  check: EntryCheck,
  at: string,
  definition: Definition,
  texts: Readonly<Record<string, unknown>>,
): Record<string, string> => {
  const known = fieldsByKey(definition);
  const translated: [string, string][] = [];
  for (const [key, value] of Object.entries(texts)) {
    if (check.faults.isFull()) break;
    const text = translatedText(check, `${at}.${key}`, known.get(key), value);
    if (text !== null) translated.push([key, text]);
  }
  return Object.fromEntries(translated);
};

const parseTranslation = (check: EntryCheck, at: string, definition: Definition, input: unknown): EntryTranslation => {
  const { faults } = check;
  if (!isRecord(input)) {
    faults.add(at, 'must be an object');
    return { fields: {}, seoTitle: null, seoDescription: null };
  }
  const texts = input['fields'] ?? {};
  if (!isRecord(texts)) faults.add(`${at}.fields`, 'must be an object');
  return {
    fields: isRecord(texts) ? translatedTexts(check, `${at}.fields`, definition, texts) : {},
    seoTitle: optionalText(faults, `${at}.seoTitle`, input['seoTitle'], MAX_SEO_TITLE),
    seoDescription: optionalText(faults, `${at}.seoDescription`, input['seoDescription'], MAX_SEO_DESCRIPTION),
  };
};

/**
 * Parses `{locale: {fields: {key: text}, seoTitle, seoDescription}}`. Faults are added under their
 * path, for example `translations.de.fields.title`.
 */
export const parseTranslations = (check: EntryCheck, definition: Definition, input: unknown): EntryContent['translations'] => {
  const { faults } = check;
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
    if (!LOCALE.test(locale)) faults.add(at, 'must be named by a locale, for example de or pt-BR');
    return [locale, parseTranslation(check, at, definition, translation)] as const;
  });
  return Object.fromEntries(locales);
};
