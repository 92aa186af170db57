import { parseDate, parseDateTime } from './calendar.ts';
import { MAX_LIST } from './metaobject.ts';
import type { FieldDefinition, FieldType, Matches, Validations } from './metaobject.ts';
import { parseValue } from './metaobject-value.ts';
import { lengthOf } from '../values/text.ts';

export type ValidationName = keyof Validations;

const BOUNDS: readonly ValidationName[] = ['min', 'max'];
const TEXT: readonly ValidationName[] = ['minLength', 'maxLength', 'regex', 'choices'];

/** Which validations a type can have. */
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

/** A bound as it is compared and kept: a number, or a date in the field's own spelling; null when it is neither. */
export const parseBound = (type: FieldType, bound: number | string): number | string | null => {
  if (type === 'date') return typeof bound === 'string' ? parseDate(bound) : null;
  if (type === 'date_time') return typeof bound === 'string' ? parseDateTime(bound) : null;
  return typeof bound === 'number' && Number.isFinite(bound) ? bound : null;
};

/** What a bound compares: money by its amount. Dates of one spelling compare as texts. */
const measured = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'amount' in value ? value.amount : value;

const boundFaults = (value: unknown, { min, max }: Validations): string[] => {
  const size = measured(value);
  if (typeof size !== 'number' && typeof size !== 'string') return [];
  return [
    ...(min !== undefined && size < min ? [`must be at least ${min}`] : []),
    ...(max !== undefined && size > max ? [`must be at most ${max}`] : []),
  ];
};

const textFaults = (value: unknown, { minLength, maxLength, regex }: Validations, matches: Matches): string[] => {
  if (typeof value !== 'string') return [];
  const length = lengthOf(value);
  return [
    ...(minLength !== undefined && length < minLength ? [`must have at least ${minLength} characters`] : []),
    ...(maxLength !== undefined && length > maxLength ? [`must have at most ${maxLength} characters`] : []),
    ...(regex !== undefined && !matches(regex, value) ? [`must match ${regex}`] : []),
  ];
};

/** What the field's validations hold against a value of its type. */
export const validationFaults = (validations: Validations, value: unknown, matches: Matches): string[] => {
  const { choices } = validations;
  return [
    ...boundFaults(value, validations),
    ...textFaults(value, validations, matches),
    ...(choices && !choices.some((choice) => choice === value) ? [`must be one of: ${choices.join(', ')}`] : []),
  ];
};

/** The field's value as it is stored (undefined: none), and every fault of it. */
export interface CheckedField {
  readonly value?: unknown;
  readonly faults: readonly string[];
}

const checkOne = ({ type, validations }: FieldDefinition, input: unknown, matches: Matches): CheckedField => {
  const parsed = parseValue(type, input);
  if ('fault' in parsed) return { faults: [parsed.fault] };
  return { value: parsed.value, faults: validationFaults(validations, parsed.value, matches) };
};

const checkList = (field: FieldDefinition, input: unknown, matches: Matches): CheckedField => {
  if (!Array.isArray(input)) return { faults: ['must be a list'] };
  if (input.length > MAX_LIST) return { faults: [`must be a list of at most ${MAX_LIST}`] };
  const items = input.map((item: unknown) => checkOne(field, item, matches));
  return {
    value: items.map((item) => item.value),
    faults: items.flatMap((item, index) => item.faults.map((fault) => `[${index}] ${fault}`)),
  };
};

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** Judges what an entry gives for the field. Null and nothing mean no value; a required field wants one that isn't empty. */
export const checkField = (field: FieldDefinition, input: unknown, matches: Matches): CheckedField => {
  if (input === undefined || input === null) return { faults: field.required ? ['is required'] : [] };
  if (field.required && isEmpty(input)) return { faults: ['is required'] };
  return field.list ? checkList(field, input, matches) : checkOne(field, input, matches);
};
