import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import en from 'zod/v4/locales/en.js';

import { adminRoutes, appRoutes, portalRoutes } from '../../src/adapters/http/routes.ts';
import { judge } from '../../src/adapters/http/serving/input/judge.ts';
import { zodMessageOf } from '../../src/adapters/http/serving/input/zod-messages.ts';

const messagesOf = (schema: z.ZodType, value: unknown): string[] => {
  const result = schema.safeParse(value, { error: zodMessageOf });
  return result.success ? expect.fail('the value is valid') : result.error.issues.map(({ message }) => message);
};

const FILE = new File(['abc'], 'a.txt');

/**
 * For each issue code of zod: schemas that raise it, a value, and our text. A code that zod adds
 * does not compile without a row.
 */
const CODES: Readonly<Record<z.core.$ZodIssueCode, readonly (readonly [z.ZodType, unknown, string])[]>> = {
  invalid_type: [
    [z.string(), undefined, 'is required'],
    [z.string(), 1, 'must be a string'],
    [z.int(), 1.5, 'must be an integer'],
    [z.boolean(), 'a', 'must be true or false'],
    [z.array(z.string()), {}, 'must be an array'],
    [z.object({}), [], 'must be an object'],
    [z.record(z.string(), z.string()), 1, 'must be an object'],
    [z.date(), 1, 'must be of type date'],
  ],
  too_big: [
    [z.string().max(1), 'ab', 'must have at most 1 character'],
    [z.array(z.string()).max(2), ['', '', ''], 'must have at most 2 elements'],
    [z.array(z.string()).length(1), ['', ''], 'must have exactly 1 element'],
    [z.number().max(1), 2, 'must be at most 1'],
    [z.number().lt(1), 1, 'must be less than 1'],
    [z.bigint().max(1n), 2n, 'must be at most 1'],
    [z.file().max(1), FILE, 'must have at most 1 byte'],
    [z.int32(), 2 ** 40, 'must be at most 2147483647'],
  ],
  too_small: [
    [z.string().min(1), '', 'must not be empty'],
    [z.array(z.string()).min(2), [], 'must have at least 2 elements'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().gt(1), 1, 'must be more than 1'],
    [z.set(z.string()).min(2), new Set(), 'must have at least 2 elements'],
    [z.map(z.string(), z.string()).min(2), new Map(), 'must have at least 2 members'],
  ],
  invalid_format: [
    [z.guid(), 'a', 'must be a UUID'],
    [z.iso.datetime(), 'a', 'must be an ISO 8601 time with its zone'],
    [z.string().regex(/^[A-Z]{3}$/), 'a', 'must match ^[A-Z]{3}$'],
    [z.string().startsWith('b'), 'a', 'must begin with "b"'],
    [z.string().endsWith('b'), 'a', 'must end with "b"'],
    [z.string().includes('b'), 'a', 'must contain "b"'],
    [z.url(), 'a', 'must be a URL'],
    [z.ipv4(), 'a', 'must be text of the format ipv4'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 4, 'must be a multiple of 5']],
  unrecognized_keys: [
    [z.strictObject({}), { a: 1, b: 2 }, 'has unknown members: "a", "b"'],
    [
      z.strictObject({}),
      Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${String(at)}`, 0])),
      'has unknown members: "k0", "k1", "k2", "k3", "k4", 99995 more',
    ],
  ],
  invalid_union: [
    [z.union([z.int(), z.string()]), true, 'must be a number or a string'],
    [z.discriminatedUnion('a', [z.object({ a: z.literal('b') })]), { a: 'c' }, 'must match exactly one of the documented forms'],
    [z.xor([z.string(), z.string()]), 'a', 'must match exactly one of the documented forms'],
  ],
  invalid_key: [[z.record(z.string().min(2), z.string()), { a: '' }, 'has a key that is not allowed']],
  invalid_element: [[z.map(z.date(), z.number()), new Map([[new Date(), 'a']]), 'has an element that is not allowed']],
  invalid_value: [
    [z.enum(['a', 'b']), 'c', 'must be one of: a, b'],
    [z.literal('a'), 'c', 'must be a'],
  ],
  custom: [
    [z.string().refine(() => false), 'a', 'is not valid'],
    [z.string().refine(() => false, 'our own text'), 'a', 'our own text'],
  ],
};

const rows = Object.entries(CODES).flatMap(([code, all]) => all.map((row) => [code, ...row] as const));

describe('every issue code of zod has a message of Tenon', () => {
  it.each(rows)('%s', (code, schema, value, message) => {
    const raised = schema.safeParse(value).error?.issues.map((issue) => issue.code);
    expect(raised).toContain(code);
    expect(messagesOf(schema, value)).toContain(message);
  });

  it('an unknown issue code has one too', () => {
    expect(zodMessageOf({ code: 'new_in_zod', input: 1 } as unknown as z.core.$ZodRawIssue)).toBe('is not valid');
  });
});

/** zod's own text for an issue, as its English locale words it. */
const zodTextOf = (issue: z.core.$ZodIssue): unknown => en().localeError(issue as unknown as z.core.$ZodRawIssue);

describe('no message of zod reaches a client', () => {
  const schemas = [...appRoutes, ...portalRoutes, ...adminRoutes].flatMap((route) =>
    [route.params, route.query, route.body].flatMap((schema) =>
      schema === null ? [] : [[`${route.method} ${route.path}`, schema] as const],
    ),
  );
  const VALUES = [undefined, null, true, 1.5, 2 ** 60, -1, '', 'a', 'x'.repeat(3000), [], [1], {}, { a: 1 }];

  /** The fields that a schema names, some levels down. */
  const fieldsOf = (schema: z.ZodType, depth = 3): string[] => {
    const described = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    return depth === 0 ? [] : [...described.matchAll(/"([A-Za-z]+)":\{/g)].map(([, name]) => name ?? '');
  };

  it.each(schemas)('%s', (_name, schema) => {
    const fields = [...new Set(fieldsOf(schema))];
    const inputs = [
      ...VALUES,
      ...VALUES.flatMap((value) => [
        Object.fromEntries(fields.map((field) => [field, value])),
        Object.fromEntries(fields.map((field) => [field, [Object.fromEntries(fields.map((inner) => [inner, value]))]])),
        Object.fromEntries(fields.map((field) => [field, Object.fromEntries(fields.map((inner) => [inner, { en: value }]))])),
      ]),
    ];
    const told = inputs.flatMap((value) => {
      const judged = judge(schema, { value });
      return judged.ok ? [] : Object.values(judged.errors ?? {}).flat();
    });
    const zods = inputs.flatMap((value) => (schema.safeParse(value).error?.issues ?? []).map(zodTextOf));
    const leaked = told.filter((text) => zods.includes(text) || /^(Invalid|Too (big|small)|Unrecognized)|expected /.test(text));
    expect(leaked).toEqual([]);
  });
});
