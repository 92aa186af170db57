import { faultList } from '../values/fault-list.ts';
import { FIELD_TYPES, MAX_CHOICES, MAX_FIELDS, isMetaobjectType } from './metaobject.ts';
import type { Definition, FieldDefinition, FieldType, Validations } from './metaobject.ts';
import { VALIDATIONS_OF, parseBound } from './metaobject-validation.ts';
import type { ValidationName } from './metaobject-validation.ts';
import { parseValue } from './metaobject-value.ts';
import { isLongerThan, parseName } from '../values/text.ts';

/** A definition as the merchant sends it; a field's name is its key where it is left out. */
export interface DefinitionInput {
  readonly name: string;
  readonly fields: readonly {
    readonly key: string;
    readonly type: string;
    readonly name?: string | undefined;
    readonly required?: boolean | undefined;
    readonly list?: boolean | undefined;
    readonly validations?: Validations | null | undefined;
  }[];
}

const KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const MAX_PATTERN = 1000;

const isFieldType = (text: string): text is FieldType => (FIELD_TYPES as readonly string[]).includes(text);

const boundFaults = (type: FieldType, { min, max }: Validations): string[] => {
  const [low, high] = [min, max].map((bound) => (bound === undefined ? undefined : parseBound(type, bound)));
  return [
    ...(low === null ? ['min is no value of the type'] : []),
    ...(high === null ? ['max is no value of the type'] : []),
    ...(low != null && high != null && low > high ? ['min is more than max'] : []),
  ];
};

const isLength = (length: number | undefined): boolean => length === undefined || (Number.isSafeInteger(length) && length >= 0);

const lengthFaults = ({ minLength, maxLength }: Validations): string[] => [
  ...(isLength(minLength) ? [] : ['minLength is no length']),
  ...(isLength(maxLength) ? [] : ['maxLength is no length']),
  ...(minLength !== undefined && maxLength !== undefined && minLength > maxLength ? ['minLength is more than maxLength'] : []),
];

const choiceFaults = (type: FieldType, choices: Validations['choices']): string[] => {
  if (choices === undefined) return [];
  if (choices.length === 0 || choices.length > MAX_CHOICES) return [`choices must be 1 to ${MAX_CHOICES}`];
  return choices.some((choice) => 'fault' in parseValue(type, choice)) ? ['choices holds what is no value of the type'] : [];
};

const regexFaults = (regex: string | undefined, isPattern: (pattern: string) => boolean): string[] =>
  regex === undefined || (!isLongerThan(regex, MAX_PATTERN) && isPattern(regex)) ? [] : ['regex is invalid or unsupported'];

const validationsFaults = (type: FieldType, validations: Validations, isPattern: (pattern: string) => boolean): string[] => {
  const names = Object.keys(validations) as ValidationName[];
  const strange = names.filter((name) => validations[name] !== undefined && !VALIDATIONS_OF[type]?.includes(name));
  if (strange.length > 0) return [`${strange.join(', ')} does not apply to ${type}`];
  return [
    ...boundFaults(type, validations),
    ...lengthFaults(validations),
    ...regexFaults(validations.regex, isPattern),
    ...choiceFaults(type, validations.choices),
  ];
};

/** Bounds and choices in the spelling that values are stored in, so that they compare. */
const kept = (type: FieldType, { min, max, choices, ...rest }: Validations): Validations => {
  const bound = (value: number | string | undefined) => (value === undefined ? undefined : (parseBound(type, value) ?? value));
  const choice = (value: string | number) => {
    const parsed = parseValue(type, value);
    return 'value' in parsed ? (parsed.value as string | number) : value;
  };
  const all = { min: bound(min), max: bound(max), ...rest, choices: choices?.map(choice) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
};

const keyFault = (key: string, repeated: boolean): string | null => {
  if (!KEY.test(key)) return 'key must be 1 to 64 letters, digits, - and _, and begin with a letter or digit';
  return repeated ? 'key stands twice' : null;
};

/**
 * A definition, or its first faults, under `type`, `name`, `fields` and `fields.<key>`. `isPattern` says whether the linear-time
 * engine takes a pattern; one that it refuses can't be kept.
 */
export const parseDefinition = (
  type: string,
  input: DefinitionInput,
  isPattern: (pattern: string) => boolean,
): { readonly value: Definition } | { readonly errors: Record<string, string[]> } => {
  const faults = faultList();
  if (!isMetaobjectType(type)) faults.add('type', 'must be 1 to 64 letters, digits, - and _, and begin with a letter or digit');
  const typeName = parseName(input.name);
  if (typeName === null) faults.add('name', 'must be 1 to 255 characters');
  if (input.fields.length > MAX_FIELDS) {
    faults.add('fields', `must be at most ${MAX_FIELDS}`);
    return { errors: faults.errors };
  }
  const seen = new Set<string>();
  const fields = input.fields.map((field): FieldDefinition | null => {
    const at = `fields.${field.key}`;
    const badKey = keyFault(field.key, seen.has(field.key));
    if (badKey) faults.add(at, badKey);
    seen.add(field.key);
    const name = parseName(field.name ?? field.key);
    if (name === null) faults.add(at, 'name must be 1 to 255 characters');
    if (!isFieldType(field.type)) {
      faults.add(at, `type must be one of: ${FIELD_TYPES.join(', ')}`);
      return null;
    }
    const validations = field.validations ?? {};
    faults.add(at, ...validationsFaults(field.type, validations, isPattern));
    const { key, type: fieldType, required = false, list = false } = field;
    return { key, name: name ?? key, type: field.type, required, list, validations: kept(fieldType, validations) };
  });
  if (typeName === null || faults.any()) return { errors: faults.errors };
  return { value: { type, name: typeName, fields: fields.filter((field) => field !== null) } };
};
