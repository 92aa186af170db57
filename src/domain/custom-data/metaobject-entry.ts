import { ok, refuse, type FieldErrors, type Refusal, type Result } from '../result.ts';
import { faultList, type Faults } from '../values/fault-list.ts';
import { parseDateTime } from './calendar.ts';
import {
  NOT_A_FIELD,
  REFERENCE_TYPES,
  fieldsByKey,
  isReference,
  parseHandle,
  type Definition,
  type EntryContent,
  type Matches,
  type Reference,
} from './metaobject.ts';
import { MAX_SEO_DESCRIPTION, MAX_SEO_TITLE, optionalText, parseTranslations } from './metaobject-translation.ts';
import { parseFieldValue, type EntryCheck } from './metaobject-validation.ts';
import { isRecord } from './metaobject-value.ts';

/**
 * An entry as it arrives. All its members are judged here, so that their faults are reported
 * together.
 */
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
  /** Each target must exist in the store. They are not looked up yet. */
  readonly references: readonly Reference[];
}

const parsePublishedAt = (faults: Faults, value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  const time = typeof value === 'string' ? parseDateTime(value) : null;
  if (time === null) faults.add('publishedAt', 'must be a time with its zone (YYYY-MM-DDThh:mm:ssZ) or null');
  return time;
};

const parseFields = (check: EntryCheck, definition: Definition, input: unknown): Record<string, unknown> => {
  const { faults } = check;
  if (!isRecord(input)) {
    faults.add('fields', input === undefined ? 'is required' : 'must be an object');
    return {};
  }
  const known = fieldsByKey(definition);
  for (const key of Object.keys(input)) {
    if (faults.isFull()) break;
    if (!known.has(key)) faults.add(`fields.${key}`, NOT_A_FIELD);
  }
  const parsed = definition.fields.map((field) => {
    const given = Object.hasOwn(input, field.key) ? input[field.key] : undefined;
    return [field.key, parseFieldValue(check, `fields.${field.key}`, field, given)] as const;
  });
  return Object.fromEntries(parsed.filter(([, value]) => value !== undefined));
};

const referencesOf = (definition: Definition, fields: Readonly<Record<string, unknown>>): Reference[] =>
  definition.fields.flatMap(({ key, type }) => {
    if (!isReference(type)) return [];
    const ids = [fields[key]].flat();
    return ids.filter((id) => typeof id === 'string').map((id) => ({ kind: REFERENCE_TYPES[type], id, key }));
  });

const invalidEntry = (errors: FieldErrors): Refusal<'invalid'> => refuse('invalid', 'The entry is invalid.', errors);

/**
 * The entry as it is stored (docs/specification/metaobjects.md, "Entries"). A refusal has the first
 * faults (MAX_FAULTS) by their path, for example `handle`, `fields.<key>` or
 * `translations.<locale>.fields.<key>`. References are collected, not looked up.
 */
export const parseEntry = (
  definition: Definition,
  input: EntryInput,
  { matches }: { readonly matches: Matches },
): Result<ValidEntry, 'invalid'> => {
  const faults = faultList();
  const check: EntryCheck = { faults, matches };
  const handle = parseHandle(input.handle);
  if (handle === null) faults.add('handle', 'must match ^[a-z0-9]+([-_][a-z0-9]+)*$ and have at most 255 characters');
  const fields = parseFields(check, definition, input.fields);
  const content = {
    fields,
    translations: parseTranslations(check, definition, input.translations),
    publishedAt: parsePublishedAt(faults, input.publishedAt),
    seoTitle: optionalText(faults, 'seoTitle', input.seoTitle, MAX_SEO_TITLE),
    seoDescription: optionalText(faults, 'seoDescription', input.seoDescription, MAX_SEO_DESCRIPTION),
  };
  if (handle === null || faults.any()) return invalidEntry(faults.errors);
  return ok({ handle, ...content, references: referencesOf(definition, fields) });
};

/** Refuses an entry with a reference whose target is not among the existing ones. */
export const checkReferences = (references: readonly Reference[], existing: readonly Reference[]): Refusal<'invalid'> | null => {
  const found = new Set(existing.map(({ kind, id }) => `${kind} ${id}`));
  const faults = faultList();
  for (const { kind, id, key } of references) {
    if (!found.has(`${kind} ${id}`)) faults.add(`fields.${key}`, `names ${kind} ${id}, which does not exist`);
  }
  return faults.any() ? invalidEntry(faults.errors) : null;
};
