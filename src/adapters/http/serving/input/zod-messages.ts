import type { z } from 'zod';

import { shortened } from '../../../../domain/values/text.ts';

type Code = z.core.$ZodIssueCode;
type Issue<C extends Code = Code> = Extract<z.core.$ZodRawIssue, { code: C }>;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'an ISO 8601 time with its zone',
  date: 'an ISO 8601 date',
  url: 'a URL',
  email: 'an email address',
};

const UNITS: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'element',
  set: 'element',
  map: 'member',
  record: 'member',
  object: 'member',
  file: 'byte',
};

/** Characters of the sender's text that a message repeats, and how many such texts. */
const QUOTED = { characters: 64, texts: 5 };
const quoted = (texts: readonly string[]): string => {
  const first = texts.slice(0, QUOTED.texts).map((text) => JSON.stringify(shortened(text, QUOTED.characters)));
  return [...first, ...(texts.length > QUOTED.texts ? [`${String(texts.length - QUOTED.texts)} more`] : [])].join(', ');
};

interface Limit {
  readonly origin: string;
  readonly limit: number | bigint;
  readonly inclusive?: boolean | undefined;
  readonly exact?: boolean | undefined;
}

const sized = (bound: 'at most' | 'at least', { origin, limit, exact }: Limit): string => {
  if (bound === 'at least' && !exact && limit === 1) return 'must not be empty';
  return `must have ${exact ? 'exactly' : bound} ${String(limit)} ${UNITS[origin] ?? ''}${Number(limit) === 1 ? '' : 's'}`;
};

const limited = (bound: 'at most' | 'at least', limit: Limit): string => {
  if (limit.origin in UNITS) return sized(bound, limit);
  const strict = bound === 'at most' ? 'less than' : 'more than';
  return `must be ${limit.inclusive === false ? strict : bound} ${String(limit.limit)}`;
};

const ofFormat = (issue: Issue<'invalid_format'>): string => {
  const { format, prefix, suffix, includes } = issue as { format: string; prefix?: string; suffix?: string; includes?: string };
  if (prefix !== undefined) return `must begin with ${quoted([prefix])}`;
  if (suffix !== undefined) return `must end with ${quoted([suffix])}`;
  if (includes !== undefined) return `must contain ${quoted([includes])}`;
  if (format === 'regex') return `must match ${String(issue.pattern).replace(/^\/|\/[a-z]*$/g, '')}`;
  return `must be ${FORMATS[format] ?? `text of the format ${format}`}`;
};

/** Lists the alternatives: `must be an integer or a string of digits`. */
const anyOf = (errors: readonly (readonly { readonly message: string }[])[]): string => {
  const [first, ...others] = new Set(errors.flatMap(([issue]) => (issue ? [issue.message] : [])));
  if (first === undefined) return 'must match exactly one of the documented forms';
  return [first, ...others.map((text) => text.replace(/^must be /, ''))].join(' or ');
};

const oneOf = (values: readonly z.core.util.Primitive[]): string =>
  `must be ${values.length === 1 ? '' : 'one of: '}${values.map(String).join(', ')}`;

const MESSAGES: { readonly [C in Code]: (issue: Issue<C>) => string } = {
  invalid_type: ({ input, expected }) =>
    input === undefined ? 'is required' : `must be ${TYPES[expected] ?? `of type ${expected}`}`,
  too_big: ({ maximum, ...issue }) => limited('at most', { ...issue, limit: maximum }),
  too_small: ({ minimum, ...issue }) => limited('at least', { ...issue, limit: minimum }),
  invalid_format: ofFormat,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${String(divisor)}`,
  unrecognized_keys: ({ keys }) => `has unknown members: ${quoted(keys)}`,
  invalid_union: ({ errors }) => anyOf(errors),
  invalid_key: () => 'has a key that is not allowed',
  invalid_element: () => 'has an element that is not allowed',
  invalid_value: ({ values }) => oneOf(values),
  custom: () => 'is not valid',
};

/**
 * The text of every fault that zod finds in a request. A schema's own message comes before it;
 * zod's own never reaches a client.
 */
export const zodMessageOf = (issue: z.core.$ZodRawIssue): string =>
  (MESSAGES[issue.code] as ((issue: z.core.$ZodRawIssue) => string) | undefined)?.(issue) ?? 'is not valid';
