import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import type { SubscribableType } from '../../../src/domain/webhooks/event.ts';
import { EventValues, MAX_FILTER_STEPS, MAX_PATH_VALUES } from '../../../src/domain/webhooks/event-values.ts';
import { checkFilter, MAX_CONDITIONS, parseFilter } from '../../../src/domain/webhooks/filter-rules.ts';
import {
  stoppedBy,
  type Condition,
  type Scalar,
  type SubscriptionFilter,
} from '../../../src/domain/webhooks/subscription-filter.ts';

const refusalOf = (given: unknown, types: readonly SubscribableType[] = ['product.updated']): string | null => {
  const parsed = parseFilter(given);
  if (!parsed.ok) return parsed.message;
  return (parsed.value && checkFilter(parsed.value, types, EVENT_FIELDS)?.message) ?? null;
};

const some = { path: 'id', op: 'exists' };
const nested = (depth: number): unknown => (depth === 0 ? some : { not: [nested(depth - 1)] });

describe('a filter is refused with what is wrong', () => {
  it.each([
    [
      { path: 'current.nmae', op: 'exists' },
      '"current.nmae" is not a field in the data of product.updated. The nearest field is current.name.',
    ],
    [{ path: 'naem', op: 'changed' }, '"naem" is not a field in the data of product.updated. The nearest field is name.'],
    [{ path: '__proto__', op: 'exists' }, '"__proto__" is not a field in the data of product.updated.'],
    [
      { path: 'current.position', op: 'gt', value: '1' },
      'current.position of product.updated is a number, so value must be one too.',
    ],
    [{ path: 'current.position', op: 'in', value: [1, 'x'] }, 'current.position of product.updated is a number'],
    [{ path: 'id', op: 'like', value: 'x' }, 'op must be one of eq, in, changed, gt, lt, exists, contains, prefix.'],
    [{ path: 'id', op: 'exists', value: true }, 'value of exists must be left out.'],
    [{ path: 'id', op: 'eq' }, 'value of eq must be a text'],
    [{ path: 'id', op: 'eq', value: 'x'.repeat(256) }, 'value of eq must be a text of at most 255'],
    [{ path: 'id', op: 'in', value: [] }, 'value of in must be a list of 1 to 100'],
    [{ path: 'id', op: 'in', value: [1, {}] }, 'value of in must be a list of 1 to 100'],
    [{ path: 'id', op: 'in', value: Array.from({ length: 101 }, () => 'x') }, 'value of in must be a list of 1 to 100'],
    [{ path: 'id', op: 'contains', value: '' }, 'value of contains must be a text of 1 to 255 characters.'],
    [{ path: 'id', op: 'contains', value: 'x'.repeat(256) }, 'value of contains must be a text of 1 to 255'],
    [{ path: 'id', op: 'contains', value: ['x'] }, 'value of contains must be a text of 1 to 255'],
    [{ path: 'name', op: 'changed', value: 'x' }, 'value of changed must be left out.'],
    [{ origin: 'not_self', more: 1 }, 'a condition must be'],
    [{ path: 'id', op: 'prefix', value: 5 }, 'value of prefix must be a text of 1 to 255'],
    [{ path: 'id', op: 'gt', value: true }, 'value of gt must be a number or a text.'],
    [{ path: 'id', op: 'lt', value: '' }, 'value of lt must be a number or a text.'],
    [{ path: 'x'.repeat(256), op: 'exists' }, 'a condition must be'],
    [{ path: 'x'.repeat(255), op: 'exists' }, `"${'x'.repeat(255)}" is not a field`],
    [{ path: 'id', op: 'exists', more: 1 }, 'a condition must be'],
    [{ origin: 'self' }, 'a condition must be'],
    [{ all: [] }, 'all must not be empty.'],
    [{ any: [null] }, 'it must be'],
    [{ all: [some], any: [some] }, 'it must be'],
    [[some], 'it must be'],
    ['x', 'it must be'],
    [nested(6), 'groups must be nested at most 5 deep.'],
    [{ all: Array.from({ length: 21 }, () => some) }, 'it must have at most 20 conditions.'],
    [
      { all: Array.from({ length: 3 }, () => ({ any: Array.from({ length: 7 }, () => some) })) },
      'it must have at most 20 conditions.',
    ],
  ])('%j', (given, message) => {
    expect(refusalOf(given)).toContain(`filter: ${message}`);
  });
  it.each([
    [null],
    [nested(5)],
    [{ all: Array.from({ length: 20 }, () => some) }],
    [{ origin: 'not_self' }],
    [{ path: 'current.refundable', op: 'eq', value: true }],
    [{ path: 'current.translations.de.name', op: 'eq', value: 'x'.repeat(255) }],
    [{ path: 'current.name', op: 'in', value: Array.from({ length: 100 }, () => 'x') }],
    [{ path: 'current.name', op: 'contains', value: 'x'.repeat(255) }],
    [{ path: 'current.position', op: 'lt', value: 1 }],
    [{ path: 'current.name', op: 'lt', value: 'x' }],
    [{ path: 'variants.current.price', op: 'gt', value: 1 }],
    [{ path: 'current.publishedAt', op: 'eq', value: null }],
    [{ path: 'current.translations.de.name', op: 'exists' }],
    [{ path: 'name', op: 'changed' }],
  ])('%j is not', (given) => {
    expect(refusalOf(given)).toBeNull();
  });
  it('a value may be of each kind of its field', () => {
    const field = { kinds: ['text', 'number'] as const, isOpen: false, fields: {} };
    const data = { kinds: [], isOpen: false, fields: { a: field } };
    const misfit = (value: Scalar) =>
      checkFilter({ path: 'a', op: 'eq', value }, ['product.updated'], { 'product.updated': data } as never);
    expect([misfit(1), misfit('x')]).toEqual([null, null]);
    expect(misfit(true)?.message).toBe('filter: a of product.updated is a text or a number, so value must be one too.');
  });
  it('every type must have the field', () => {
    const filter = { path: 'current.name', op: 'exists' };
    expect(refusalOf(filter, ['product.updated', 'product.deleted'])).toContain('in the data of product.deleted');
    expect(refusalOf({ path: 'total.value', op: 'exists' }, ['order.paid'])).toBeNull();
    expect(refusalOf({ origin: 'not_self' }, ['media.import_failed'])).toBe(
      'filter: the data of media.import_failed has no origin.',
    );
    expect(refusalOf({ path: 'name', op: 'changed' }, ['product.created'])).toContain('has no changedFields');
  });
});

it('a condition without a value is kept without one', () => {
  expect(parseFilter(some)).toStrictEqual({ ok: true, value: some });
});

it('a text has no fields', () => {
  expect(stoppedBy({ path: 'name.length', op: 'exists' }, new EventValues({ name: 'text' }), null)).not.toBeNull();
});

describe('the condition that stops an event is named by its number', () => {
  const yes = { path: 'a', op: 'eq', value: 1 };
  const no = { path: 'b', op: 'exists' };
  it.each([
    [yes, null],
    [no, 1],
    [{ all: [yes, no, { ...no }] }, 2],
    [{ any: [no, { ...no }] }, 1],
    [{ any: [no, yes] }, null],
    [{ not: [no, yes] }, 2],
    [{ not: [no] }, null],
    [{ all: [{ any: [no, yes] }, { not: [{ all: [{ ...yes }] }] }] }, 3],
  ])('%j: %s', (filter, number) => {
    expect(stoppedBy(filter as SubscriptionFilter, new EventValues({ a: 1 }), null)?.number ?? null).toBe(number);
  });
});

it('walks each path once for all filters of an event, and looks at no more values than the limit', () => {
  let reads = 0;
  const price = { enumerable: true, get: () => (reads += 1) };
  const variants = Array.from({ length: MAX_PATH_VALUES + 1 }, () => Object.defineProperty({}, 'price', price));
  const values = new EventValues({ variants, prices: [[0], Array.from({ length: MAX_PATH_VALUES }, (_, at) => at + 1)] });
  const beyond = { path: 'variants.price', op: 'gt', value: MAX_PATH_VALUES } as const;
  for (const filter of [beyond, { all: [beyond, beyond] }]) expect(stoppedBy(filter, values, null)).not.toBeNull();
  expect(reads).toBe(MAX_PATH_VALUES);
  expect(stoppedBy({ path: 'prices', op: 'eq', value: MAX_PATH_VALUES - 1 }, values, null)).toBeNull();
  expect(stoppedBy({ path: 'prices', op: 'eq', value: MAX_PATH_VALUES }, values, null)).not.toBeNull();
  const last = new EventValues({ a: [{ b: Array.from({ length: MAX_PATH_VALUES }, () => 0) }, { b: 1 }] });
  expect(stoppedBy({ path: 'a.b', op: 'eq', value: 1 }, last, null)).not.toBeNull();
});

type EventData = Readonly<Record<string, unknown>>;

/** The values at a path, as one recursion over its names. */
const reach = (value: unknown, rest: readonly string[]): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((element) => reach(element, rest));
  const [name, ...more] = rest;
  if (name === undefined) return [value];
  const member = Object.entries(value ?? {}).find(([key]) => key === name);
  return member && typeof value === 'object' ? reach(member[1], more) : [];
};

const judge = (condition: Condition, data: EventData, self: string | null): boolean => {
  if ('origin' in condition) return self !== [...reach(data, ['origin']), null][0];
  const found = reach(data, condition.path.split('.'));
  const value = condition.value as never;
  switch (condition.op) {
    case 'eq':
      return found.includes(value);
    case 'in':
      return (value as unknown[]).some((one) => found.includes(one));
    case 'exists':
      return found.filter((one) => one !== null).length > 0;
    case 'changed':
      return reach(data['changedFields'], []).includes(condition.path);
    case 'contains':
      return found.some((one) => typeof one === 'string' && one.split(value).length > 1);
    case 'prefix':
      return found.some((one) => typeof one === 'string' && one.slice(0, (value as string).length) === value);
    case 'gt':
    case 'lt': {
      const alike = found.filter((one) => typeof one === typeof value) as never[];
      return alike.some((one) => (condition.op === 'gt' ? value < one : value > one));
    }
  }
};

const holds = (filter: SubscriptionFilter, data: EventData, self: string | null): boolean => {
  if ('all' in filter) return !filter.all.some((member) => !holds(member, data, self));
  if ('any' in filter) return filter.any.map((member) => holds(member, data, self)).includes(true);
  if ('not' in filter) return filter.not.every((member) => !holds(member, data, self));
  return judge(filter, data, self);
};

const name = fc.constantFrom('a', 'b', 'origin', '__proto__', 'changedFields');
const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'b', 'app'),
  fc.integer({ min: -2, max: 2 }),
  fc.boolean(),
  fc.constant(null),
);
const text = fc.constantFrom('a', 'b', 'ab');
const { data } = fc.letrec<{ data: EventData; value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('data')),
  data: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
}));
const path = fc.array(name, { minLength: 1, maxLength: 2 }).map((names) => names.join('.'));
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ path, op: fc.constant('eq' as const), value: scalar }),
  fc.record({ path, op: fc.constant('in' as const), value: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ path, op: fc.constantFrom('contains' as const, 'prefix' as const), value: text }),
  fc.record({ path, op: fc.constantFrom('gt' as const, 'lt' as const), value: fc.oneof(text, fc.integer({ min: -1, max: 1 })) }),
  fc.record({ path, op: fc.constantFrom('changed' as const, 'exists' as const) }),
  fc.constant({ origin: 'not_self' as const }),
);
const { filter } = fc.letrec<{ filter: SubscriptionFilter }>((tie) => {
  const members = fc.array(tie('filter'), { minLength: 1, maxLength: 3 });
  const groups = [fc.record({ all: members }), fc.record({ any: members }), fc.record({ not: members })];
  return { filter: fc.oneof({ maxDepth: 3 }, condition, ...groups) };
});

it('agrees with an evaluator that is written in another way, on 100,000 pairs', { timeout: 300_000 }, () => {
  let passed = 0;
  fc.assert(
    fc.property(filter, data, fc.constantFrom(null, 'app'), (given, event, self) => {
      const passes = stoppedBy(given, new EventValues(event), self) === null;
      if (passes) passed += 1;
      return passes === holds(given, event, self);
    }),
    { numRuns: 100_000 },
  );
  // Neither agrees by always giving the same answer.
  expect(passed).toBeGreaterThan(20_000);
  expect(passed).toBeLessThan(80_000);
});

it('agrees with it on long lists, which are looked up and not walked', { timeout: 300_000 }, () => {
  const long = fc.record({
    a: fc.array(fc.oneof(scalar, fc.constantFrom('abc', 'b!', 'Z', 'é')), { minLength: 9, maxLength: 40 }),
  });
  let passed = 0;
  fc.assert(
    fc.property(filter, long, (given, event) => {
      const passes = stoppedBy(given, new EventValues(event), null) === null;
      if (passes) passed += 1;
      return passes === holds(given, event, null);
    }),
    { numRuns: 20_000 },
  );
  expect(passed).toBeGreaterThan(2_000);
  expect(passed).toBeLessThan(18_000);
});

describe('the work that an event takes', () => {
  const values = (count: number, value: (at: number) => unknown) =>
    new EventValues({ a: Array.from({ length: count }, (_, at) => value(at)) });
  const all = (condition: (at: number) => Condition): SubscriptionFilter => ({
    any: Array.from({ length: MAX_CONDITIONS }, (_, at) => condition(at)),
  });
  const missing = Array.from({ length: 100 }, (_, at) => -1 - at);

  it.each<[string, SubscriptionFilter]>([
    ['eq', all((at) => ({ path: 'a', op: 'eq', value: -1 - at }))],
    ['in', all(() => ({ path: 'a', op: 'in', value: missing }))],
    ['exists', { not: [all(() => ({ path: 'a', op: 'exists' }))] }],
    ['gt', all(() => ({ path: 'a', op: 'gt', value: MAX_PATH_VALUES }))],
    ['lt', all(() => ({ path: 'a', op: 'lt', value: -1 }))],
    ['prefix', all((at) => ({ path: 'a', op: 'prefix', value: `no ${String(at)}` }))],
  ])('of `%s` does not multiply conditions, their values and those of the event', (_op, given) => {
    const event = values(MAX_PATH_VALUES, (at) => at);
    for (let filters = 0; filters < 50; filters += 1) expect(stoppedBy(given, event, null)).not.toBeNull();
    // Each value of each condition once, and those of the event once for all filters.
    expect(event.steps).toBeLessThanOrEqual(50 * MAX_CONDITIONS * missing.length + 3 * MAX_PATH_VALUES);
  });

  const LONG = 'x'.repeat(1_000);
  const ofTexts = () => values(MAX_PATH_VALUES, () => LONG);
  const contains: Condition = { path: 'a', op: 'contains', value: 'y' };
  const searching = all(() => contains);
  /** Until the work of this owner is spent. The first filter spends it. */
  const spend = (event: EventValues, owner: string | null): number => {
    let stopped = 0;
    while (stopped < 10 && stoppedBy(searching, event, owner) !== null) stopped += 1;
    return stopped;
  };

  it.each(['prefix', 'gt', 'lt'] as const)('counts the sorting of long texts for `%s`', (op) => {
    const event = ofTexts();
    stoppedBy({ path: 'a', op, value: 'y' }, event, 'app');
    expect(event.steps).toBeGreaterThan(MAX_FILTER_STEPS);
  });

  it('is bounded for the filters of an owner together, and what they leave open stops no event', () => {
    const event = ofTexts();
    expect(spend(event, 'app')).toBe(0);
    const { steps } = event;
    expect(steps).toBeGreaterThanOrEqual(MAX_FILTER_STEPS);
    expect(steps).toBeLessThan(1.25 * MAX_FILTER_STEPS);
    for (const open of [searching, contains, { not: [contains] }, { all: [contains] }] as SubscriptionFilter[])
      expect(stoppedBy(open, event, 'app')).toBeNull();
    expect(event.steps).toBe(steps);
  });
  it('leaves that of others alone, and ends no filter that a known condition decides', () => {
    const event = ofTexts();
    spend(event, 'app');
    expect(stoppedBy({ any: [contains, { ...contains }] }, event, 'another')).toMatchObject({ number: 1 });
    const own = new EventValues({ a: Array.from({ length: MAX_PATH_VALUES }, () => LONG), origin: 'app' });
    spend(own, 'app');
    // An app is not sent its own change because a filter was too much work.
    expect(stoppedBy({ all: [contains, { origin: 'not_self' }] }, own, 'app')).toMatchObject({ number: 2 });
  });
  it('forgets values rather than fill the memory, and finds them again', () => {
    const event = new EventValues({ a: Array.from({ length: MAX_PATH_VALUES }, () => ({ b: 1 })) });
    for (let owner = 0; owner < 600; owner += 1) {
      expect(stoppedBy({ path: `a.x${String(owner)}`, op: 'exists' }, event, String(owner))).not.toBeNull();
      expect(stoppedBy({ path: 'a.b', op: 'eq', value: 1 }, event, String(owner))).toBeNull();
    }
  });
});
