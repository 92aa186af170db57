import { ok, refuse, type Result } from '../result.ts';
import { faultList } from '../values/fault-list.ts';
import { isLongerThan, NAME_RULE, parseName } from '../values/text.ts';
import { VALIDATIONS_OF, parseBound, type ValidationName } from './metaobject-validation.ts';
import { parseValue } from './metaobject-value.ts';
import {
  FIELD_TYPES,
  MAX_CHOICES,
  isMetaobjectType,
  TYPE_RULE,
  type FieldDefinition,
  type FieldType,
  type Validations,
  MAX_FIELDS,
  type Definition,
} from './metaobject.ts';

/** A field as the merchant sends it. An absent name is the key. */
export interface FieldInput {
  readonly key: string;
  readonly type: string;
  readonly name?: string | undefined;
  readonly required?: boolean | undefined;
  readonly list?: boolean | undefined;
  readonly validations?: Validations | null | undefined;
}

type IsPattern = (pattern: string) => boolean;
type Report = (message: string) => void;

const MAX_PATTERN = 1000;

const isFieldType = (text: string): text is FieldType => (FIELD_TYPES as readonly string[]).includes(text);

const checkBounds = (type: FieldType, { min, max }: Validations, report: Report): void => {
  const [low, high] = [min, max].map((bound) => (bound === undefined ? undefined : parseBound(type, bound)));
  if (low === null) report(`min must be a valid ${type}`);
  if (high === null) report(`max must be a valid ${type}`);
  if (low != null && high != null && low > high) report('min must not be more than max');
};

const isLength = (length: number | undefined): boolean => length === undefined || (Number.isSafeInteger(length) && length >= 0);

const checkLengths = ({ minLength, maxLength }: Validations, report: Report): void => {
  if (!isLength(minLength)) report('minLength must be an integer of at least 0');
  if (!isLength(maxLength)) report('maxLength must be an integer of at least 0');
  if ((minLength ?? -Infinity) > (maxLength ?? Infinity)) report('minLength must not be more than maxLength');
};

const checkRegex = (regex: string | undefined, isPattern: IsPattern, report: Report): void => {
  if (regex !== undefined && (isLongerThan(regex, MAX_PATTERN) || !isPattern(regex))) report('regex is invalid or unsupported');
};

const checkChoices = (type: FieldType, choices: Validations['choices'], report: Report): void => {
  if (choices === undefined) return;
  if (choices.length === 0 || choices.length > MAX_CHOICES) report(`choices must have 1 to ${MAX_CHOICES} elements`);
  else if (choices.some((choice) => !parseValue(type, choice).ok)) report(`each of choices must be a valid ${type}`);
};

const checkValidations = (type: FieldType, validations: Validations, isPattern: IsPattern, report: Report): void => {
  const names = Object.keys(validations) as ValidationName[];
  const foreign = names.filter((name) => validations[name] !== undefined && !VALIDATIONS_OF[type]?.includes(name));
  if (foreign.length > 0) {
    report(`${foreign.join(', ')} cannot be used with ${type}`);
    return;
  }
  checkBounds(type, validations, report);
  checkLengths(validations, report);
  checkRegex(validations.regex, isPattern, report);
  checkChoices(type, validations.choices, report);
};

/** Bounds and choices in the spelling of stored values, so that they compare. */
const normalised = (type: FieldType, { min, max, choices, ...rest }: Validations): Validations => {
  const bound = (value: number | string | undefined) => (value === undefined ? undefined : (parseBound(type, value) ?? value));
  const choice = (value: string | number): string | number => {
    const parsed = parseValue(type, value);
    return parsed.ok ? (parsed.value as string | number) : value;
  };
  const all = { min: bound(min), max: bound(max), ...rest, choices: choices?.map(choice) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
};

/**
 * The field of a definition as it is kept. Faults are reported; without a valid type the result is
 * null.
 */
const parseField = (input: FieldInput, isPattern: IsPattern, report: Report): FieldDefinition | null => {
  const { key, type, required = false, list = false } = input;
  const validations = input.validations ?? {};
  const name = parseName(input.name ?? key);
  if (!isMetaobjectType(key)) report(`key ${TYPE_RULE}`);
  if (name === null) report(`name ${NAME_RULE}`);
  if (!isFieldType(type)) {
    report(`type must be one of: ${FIELD_TYPES.join(', ')}`);
    return null;
  }
  checkValidations(type, validations, isPattern, report);
  return { key, name: name ?? key, type, required, list, validations: normalised(type, validations) };
};

export interface DefinitionInput {
  readonly name: string;
  readonly fields: readonly FieldInput[];
}

/**
 * The definition as it is kept. A refusal has the first faults under `type`, `name`, `fields` and
 * `fields.<key>`. `isPattern` says whether the linear-time engine supports a pattern.
 */
export const parseDefinition = (
  type: string,
  input: DefinitionInput,
  isPattern: (pattern: string) => boolean,
): Result<Definition, 'invalid'> => {
  const faults = faultList();
  const name = parseName(input.name);
  if (!isMetaobjectType(type)) faults.add('type', TYPE_RULE);
  if (name === null) faults.add('name', NAME_RULE);
  const tooMany = input.fields.length > MAX_FIELDS;
  if (tooMany) faults.add('fields', `must have at most ${MAX_FIELDS} elements`);
  const seen = new Set<string>();
  const fields = (tooMany ? [] : input.fields).map((field) => {
    const report = (message: string): void => faults.add(`fields.${field.key}`, message);
    if (seen.has(field.key)) report('key appears more than once');
    seen.add(field.key);
    return parseField(field, isPattern, report);
  });
  if (name === null || faults.any()) return refuse('invalid', 'The definition is invalid.', faults.errors);
  return ok({ type, name, fields: fields.filter((field) => field !== null) });
};
