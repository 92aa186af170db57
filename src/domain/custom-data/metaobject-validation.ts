import { lengthOf, lengthRule } from '../values/text.ts';
import type { Faults } from '../values/fault-list.ts';
import { parseDate, parseDateTime } from './calendar.ts';
import { MAX_LIST, type FieldDefinition, type FieldType, type Matches, type Validations } from './metaobject.ts';
import { isRecord, parseValue } from './metaobject-value.ts';

export type ValidationName = keyof Validations;

const BOUNDS: readonly ValidationName[] = ['min', 'max'];
const TEXT: readonly ValidationName[] = ['minLength', 'maxLength', 'regex', 'choices'];

export const VALIDATIONS_OF: Readonly<Partial<Record<FieldType, readonly ValidationName[]>>> = {
  single_line_text: TEXT,
  multi_line_text: TEXT,
  url: TEXT,
  color: ['choices'],
  integer: [...BOUNDS, 'choices'],
  decimal: [...BOUNDS, 'choices'],
  date: [...BOUNDS, 'choices'],
  date_time: BOUNDS,
  money: BOUNDS,
};

/**
 * A bound as it is kept: a number, or a date in the spelling of values. Null when it does not fit
 * the type.
 */
export const parseBound = (type: FieldType, bound: number | string): number | string | null => {
  if (type === 'date') return typeof bound === 'string' ? parseDate(bound) : null;
  if (type === 'date_time') return typeof bound === 'string' ? parseDateTime(bound) : null;
  return Number.isFinite(bound) ? bound : null;
};

type Report = (rule: string) => void;

/** Bounds compare the amount of money, otherwise the value. Dates of one spelling compare as strings. */
const measured = (value: unknown): unknown => (isRecord(value) ? value['amount'] : value);

const checkBounds = (value: unknown, { min, max }: Validations, report: Report): void => {
  const size = measured(value);
  if (typeof size !== 'number' && typeof size !== 'string') return;
  if (min !== undefined && size < min) report(`must be at least ${min}`);
  if (max !== undefined && size > max) report(`must be at most ${max}`);
};

const checkLength = (value: string, { minLength = 0, maxLength = Infinity }: Validations, report: Report): void => {
  const length = lengthOf(value);
  if (length < minLength) report(`must have at least ${minLength} characters`);
  if (length > maxLength) report(lengthRule(maxLength));
};

export interface EntryCheck {
  readonly faults: Faults;
  readonly matches: Matches;
}

const checkValidations = (value: unknown, validations: Validations, matches: Matches, report: Report): void => {
  const { regex, choices } = validations;
  checkBounds(value, validations, report);
  if (typeof value === 'string') {
    checkLength(value, validations, report);
    if (regex !== undefined && !matches(regex, value)) report(`must match ${regex}`);
  }
  if (choices && !choices.some((choice) => choice === value)) report(`must be one of: ${choices.join(', ')}`);
};

const parseOne = ({ type, validations }: FieldDefinition, input: unknown, matches: Matches, report: Report): unknown => {
  const parsed = parseValue(type, input);
  if (!parsed.ok) {
    report(parsed.message);
    return undefined;
  }
  checkValidations(parsed.value, validations, matches, report);
  return parsed.value;
};

const parseList = (field: FieldDefinition, input: unknown, matches: Matches, report: Report): unknown => {
  if (!Array.isArray(input)) report('must be an array');
  else if (input.length > MAX_LIST) report(`must have at most ${MAX_LIST} elements`);
  else return input.map((item, index) => parseOne(field, item, matches, (rule) => report(`[${index}] ${rule}`)));
  return undefined;
};

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** Null is a JSON value, and so one of a json field that may be left out. */
const keepsNull = ({ type, list, required }: FieldDefinition): boolean => type === 'json' && !list && !required;

/**
 * The value of a field as it is stored. Undefined when there is none: null and absence mean no
 * value, except for a null of json. Faults are added under `at`.
 */
export const parseFieldValue = ({ faults, matches }: EntryCheck, at: string, field: FieldDefinition, input: unknown): unknown => {
  const report = (rule: string): void => faults.add(at, rule);
  if (input === null && keepsNull(field)) return null;
  if (input === undefined || input === null || (field.required && isEmpty(input))) {
    if (field.required) report('is required');
    return undefined;
  }
  return field.list ? parseList(field, input, matches, report) : parseOne(field, input, matches, report);
};
