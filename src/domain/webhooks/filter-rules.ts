import { ok, type Refusal, type Result } from '../result.ts';
import type { SubscribableType } from './event.ts';
import { fieldAt, MAX_PATH_LENGTH, unknownField, type EventFields, type FieldKind } from './event-fields.ts';
import {
  conditionsOf,
  FILTER_GROUPS,
  OPERATORS,
  type Condition,
  type FilterOperator,
  type Scalar,
  type SubscriptionFilter,
} from './subscription-filter.ts';
import { invalid } from './webhook-url.ts';

export const MAX_CONDITIONS = 20;
const MAX_DEPTH = 5;
const MAX_VALUES = 100;
const MAX_VALUE_LENGTH = 255;

type Given = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Given => typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): value is Scalar => value === null || ['string', 'number', 'boolean'].includes(typeof value);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_VALUE_LENGTH;

const isValue = (value: unknown): value is Scalar =>
  isScalar(value) && (typeof value !== 'string' || value.length <= MAX_VALUE_LENGTH);

/** Values that each operator compares with. */
const VALUES: Readonly<Record<FilterOperator, readonly [isValid: (value: unknown) => boolean, rule: string]>> = {
  eq: [isValue, `a text of at most ${MAX_VALUE_LENGTH} characters, a number, true, false or null`],
  in: [
    (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_VALUES && value.every(isValue),
    `a list of 1 to ${MAX_VALUES} such values as eq takes`,
  ],
  gt: [(value) => typeof value === 'number' || isText(value), 'a number or a text'],
  lt: [(value) => typeof value === 'number' || isText(value), 'a number or a text'],
  contains: [isText, `a text of 1 to ${MAX_VALUE_LENGTH} characters`],
  prefix: [isText, `a text of 1 to ${MAX_VALUE_LENGTH} characters`],
  changed: [(value) => value === undefined, 'left out'],
  exists: [(value) => value === undefined, 'left out'],
};

const KINDS: Readonly<Record<string, FieldKind>> = { string: 'text', number: 'number', boolean: 'boolean' };

const SHAPE = `must be {"all" | "any" | "not": [...]}, {"path", "op", "value"} or {"origin": "not_self"}`;

const invalidFilter = (message: string): Refusal<'invalid'> => invalid(`filter: ${message}`);

const parseCondition = (given: Given): Result<Condition, 'invalid'> => {
  const names = Object.keys(given);
  if (names.length === 1 && given['origin'] === 'not_self') return ok({ origin: 'not_self' });
  const { path, op, value } = given;
  if (typeof path !== 'string' || path.length > MAX_PATH_LENGTH) return invalidFilter(`a condition ${SHAPE}.`);
  if (names.some((name) => !['path', 'op', 'value'].includes(name))) return invalidFilter(`a condition ${SHAPE}.`);
  const known = OPERATORS.find((operator) => operator === op);
  if (known === undefined) return invalidFilter(`op must be one of ${OPERATORS.join(', ')}.`);
  const [isValid, rule] = VALUES[known];
  if (!isValid(value)) return invalidFilter(`value of ${known} must be ${rule}.`);
  return ok(value === undefined ? { path, op: known } : { path, op: known, value: value as Scalar | readonly Scalar[] });
};

const parseTree = (given: unknown, depth: number): Result<SubscriptionFilter, 'invalid'> => {
  if (!isRecord(given)) return invalidFilter(`it ${SHAPE}.`);
  const kind = FILTER_GROUPS.find((name) => Object.hasOwn(given, name));
  if (kind === undefined) return parseCondition(given);
  const members = given[kind];
  if (Object.keys(given).length > 1 || !Array.isArray(members)) return invalidFilter(`it ${SHAPE}.`);
  if (members.length === 0) return invalidFilter(`${kind} must not be empty.`);
  if (depth === MAX_DEPTH) return invalidFilter(`groups must be nested at most ${MAX_DEPTH} deep.`);
  const parsed: SubscriptionFilter[] = [];
  for (const member of members as readonly unknown[]) {
    const result = parseTree(member, depth + 1);
    if (!result.ok) return result;
    parsed.push(result.value);
  }
  return ok({ [kind]: parsed } as unknown as SubscriptionFilter);
};

/** Returns the reason why the condition can never be true of the type, or can't be asked of it. */
const misfitOf = (condition: Condition, type: SubscribableType, eventFields: EventFields): string | null => {
  const data = eventFields[type];
  if ('origin' in condition) return fieldAt(data, 'origin') ? null : `the data of ${type} has no origin.`;
  const { path, op, value } = condition;
  if (op === 'changed') {
    if (!Object.hasOwn(data.fields, 'changedFields'))
      return `changed cannot be asked of ${type}, whose data has no changedFields.`;
    const fields = fieldAt(data, 'current');
    return fields && Object.hasOwn(fields.fields, path) ? null : unknownField(type, fields ?? data, path);
  }
  const field = fieldAt(data, path);
  if (field === null) return unknownField(type, data, path);
  if (field.isOpen || value === undefined) return null;
  const wrong = [value].flat().some((one) => one !== null && !field.kinds.some((kind) => kind === KINDS[typeof one]));
  return wrong ? `${path} of ${type} is a ${field.kinds.join(' or a ')}, so value must be one too.` : null;
};

/** Refuses what names a field that the data of one of the types does not have: it would keep events away without a word. */
export const checkFilter = (
  filter: SubscriptionFilter,
  types: readonly SubscribableType[],
  eventFields: EventFields,
): Refusal<'invalid'> | null => {
  for (const condition of conditionsOf(filter)) {
    for (const type of types) {
      const misfit = misfitOf(condition, type, eventFields);
      if (misfit !== null) return invalidFilter(misfit);
    }
  }
  return null;
};

export const parseFilter = (given: unknown): Result<SubscriptionFilter | null, 'invalid'> => {
  if (given === null) return ok(null);
  const parsed = parseTree(given, 0);
  if (!parsed.ok) return parsed;
  if (conditionsOf(parsed.value).length > MAX_CONDITIONS)
    return invalidFilter(`it must have at most ${MAX_CONDITIONS} conditions.`);
  return parsed;
};
