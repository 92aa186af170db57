import { EventValues } from './event-values.ts';
import type { FoundValues } from './found-values.ts';

export type Scalar = string | number | boolean | null;

export const OPERATORS = ['eq', 'in', 'changed', 'gt', 'lt', 'exists', 'contains', 'prefix'] as const;
export type FilterOperator = (typeof OPERATORS)[number];

/** About the value at a path of the event's data, or about who made the change. */
export type Condition =
  | { readonly path: string; readonly op: FilterOperator; readonly value?: Scalar | readonly Scalar[] }
  | { readonly origin: 'not_self' };

export const FILTER_GROUPS = ['all', 'any', 'not'] as const;
type Group = (typeof FILTER_GROUPS)[number];

/** `not`: none of them is true. */
export type SubscriptionFilter =
  | Condition
  | { readonly all: readonly SubscriptionFilter[] }
  | { readonly any: readonly SubscriptionFilter[] }
  | { readonly not: readonly SubscriptionFilter[] };

/** The condition that decided, and its number in reading order, from 1. */
export interface DecidedBy {
  readonly number: number;
  readonly condition: Condition;
}

/** The values of an event, by its body with all its data. One for all the filters that judge it. */
export const valuesOf = (body: string): EventValues => new EventValues((JSON.parse(body) as { readonly data: unknown }).data);

type Members = readonly SubscriptionFilter[];

const groupOf = (filter: SubscriptionFilter): readonly [Group, Members] | null => {
  if ('all' in filter) return ['all', filter.all];
  if ('any' in filter) return ['any', filter.any];
  return 'not' in filter ? ['not', filter.not] : null;
};

export const conditionsOf = (filter: SubscriptionFilter): readonly Condition[] => {
  const group = groupOf(filter);
  return group === null ? [filter as Condition] : group[1].flatMap(conditionsOf);
};

const TESTS: Readonly<Record<Exclude<FilterOperator, 'changed'>, (found: FoundValues, value: unknown) => boolean>> = {
  eq: (found, value) => found.has(value),
  in: (found, value) => (value as readonly unknown[]).some((one) => found.has(one)),
  exists: (found) => found.hasValue(),
  contains: (found, value) => found.contains(value as string),
  prefix: (found, value) => found.hasPrefix(value as string),
  gt: (found, value) => found.hasGreater(value),
  lt: (found, value) => found.hasLess(value),
};

/** Null where the work of the owner's filters is spent: nobody knows. */
const isTrue = (condition: Condition, values: EventValues, self: string | null): boolean | null => {
  if ('origin' in condition) return (values.first('origin') ?? null) !== self;
  const { path, op, value } = condition;
  if (op === 'changed') return values.ask('changedFields', self, (found) => found.has(path));
  return values.ask(path, self, (found) => TESTS[op](found, value));
};

interface Decision {
  /** Null where an answer that nobody knows decides. */
  readonly passes: boolean | null;
  readonly by: Condition;
}

/** The first member that settles the group decides it. Where none does, its first member is named. */
const decide = (filter: SubscriptionFilter, values: EventValues, self: string | null): Decision => {
  const group = groupOf(filter);
  if (group === null) return { passes: isTrue(filter as Condition, values, self), by: filter as Condition };
  const [kind, members] = group;
  const settles = kind !== 'all';
  let first: Decision | null = null;
  let isOpen = false;
  for (const member of members) {
    const decision = decide(member, values, self);
    first ??= decision;
    if (decision.passes === settles) return { passes: kind === 'any', by: decision.by };
    isOpen ||= decision.passes === null;
  }
  if (first === null) throw new Error('a group of a filter is never empty');
  return { passes: isOpen ? null : kind !== 'any', by: first.by };
};

/**
 * The condition that keeps an event with these values from the subscription of the installation `self`,
 * which is null for the merchant. Null when the event passes, as it does where MAX_FILTER_STEPS leaves the answer open.
 */
export const stoppedBy = (filter: SubscriptionFilter, values: EventValues, self: string | null): DecidedBy | null => {
  const { passes, by } = decide(filter, values, self);
  return passes === false ? { number: conditionsOf(filter).indexOf(by) + 1, condition: by } : null;
};
