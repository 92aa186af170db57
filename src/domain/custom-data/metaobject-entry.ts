import { parseDateTime } from './calendar.ts';
import { faultList } from '../values/fault-list.ts';
import type { Faults } from '../values/fault-list.ts';
import { REFERENCE_TYPES, isReference, parseHandle } from './metaobject.ts';
import type { Definition, EntryContent, Matches, Reference } from './metaobject.ts';
import { MAX_SEO_DESCRIPTION, MAX_SEO_TITLE, knownKeys, optionalText, translationsOf } from './metaobject-translation.ts';
import { checkField } from './metaobject-validation.ts';
import { isRecord } from './metaobject-value.ts';

/** An entry as it arrives: the body's members are judged here, not before, so that the faults of all of them are reported together. */
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

const publishedAt = (faults: Faults, value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  const time = typeof value === 'string' ? parseDateTime(value) : null;
  if (time === null) faults.add('publishedAt', 'must be a time with its zone (YYYY-MM-DDThh:mm:ssZ) or null');
  return time;
};

const fieldsOf = (faults: Faults, definition: Definition, input: unknown, matches: Matches): Record<string, unknown> => {
  if (!isRecord(input)) {
    faults.add('fields', input === undefined ? 'is required' : 'must be an object');
    return {};
  }
  const known = knownKeys(definition);
  for (const key of Object.keys(input)) {
    if (faults.isFull()) break;
    if (!known.has(key)) faults.add(`fields.${key}`, 'is not a field of the type');
  }
  const checked = definition.fields.map((field) => {
    const { value, faults: found } = checkField(field, Object.hasOwn(input, field.key) ? input[field.key] : undefined, matches);
    faults.add(`fields.${field.key}`, ...found);
    return [field.key, value] as const;
  });
  return Object.fromEntries(checked.filter(([, value]) => value !== undefined));
};

const referencesOf = (definition: Definition, fields: Readonly<Record<string, unknown>>): Reference[] =>
  definition.fields.flatMap(({ key, type }) => {
    if (!isReference(type) || !Object.hasOwn(fields, key)) return [];
    const ids = [fields[key]].flat();
    return ids.filter((id) => typeof id === 'string').map((id) => ({ kind: REFERENCE_TYPES[type], id, key }));
  });

/**
 * The entry as it is to be stored, or its first faults (MAX_FAULTS) under `handle`, `fields.<key>`, `translations.<locale>.fields.<key>`,
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
  for (const { kind, id, key } of references)
    if (!found.has(`${kind} ${id}`)) faults.add(`fields.${key}`, `there is no ${kind} ${id}`);
  return faults.errors;
};
