import { ok, type Refusal, type Result } from '../result.ts';
import { checkFields, parseFields } from './body-fields.ts';
import type { EventFields } from './event-fields.ts';
import type { SubscribableType } from './event.ts';
import { checkFilter, parseFilter } from './filter-rules.ts';
import { checkGathering, type Gathering } from './gathering.ts';
import { checkInclude, withIncludedFields, type Include } from './included.ts';
import type { SubscriptionFilter } from './subscription-filter.ts';

/** In the order of the feed for each resource. */
export const DELIVERY_ORDERS = ['resource'] as const;
export type DeliveryOrder = (typeof DELIVERY_ORDERS)[number];

/** Unparsed options: `filter` is any JSON. */
export interface OptionsInput {
  readonly filter?: unknown;
  readonly fields?: readonly string[] | null | undefined;
  readonly order?: DeliveryOrder | null | undefined;
  readonly gather?: Gathering | null | undefined;
  readonly include?: readonly Include[] | null | undefined;
}

/** Options of a subscription (docs/specification/webhooks.md, "Options"). */
export interface SubscriptionOptions {
  /** Condition on the events. Null passes all of them. */
  readonly filter: SubscriptionFilter | null;
  /** The paths that the data keeps. Null is all of the data. */
  readonly fields: readonly string[] | null;
  /** In which order they are sent. Null promises none. */
  readonly order: DeliveryOrder | null;
  /** For how long changes of one resource are gathered into one delivery. Null sends each by itself. */
  readonly gather: Gathering | null;
  /** Resources that the body brings. Null is the event alone. */
  readonly include: readonly Include[] | null;
}

export const NO_OPTIONS: SubscriptionOptions = { filter: null, fields: null, order: null, gather: null, include: null };

type GivenOptions = { readonly [K in keyof SubscriptionOptions]?: SubscriptionOptions[K] | undefined };

const parseInclude = (include: OptionsInput['include']): SubscriptionOptions['include'] | undefined =>
  include && (include.length === 0 ? null : [...new Set(include)].sort());

export const parseOptions = ({ filter, fields, order, gather, include }: OptionsInput): Result<GivenOptions, 'invalid'> => {
  const parsed = filter === undefined ? ok(undefined) : parseFilter(filter);
  if (!parsed.ok) return parsed;
  const kept = fields === undefined ? ok(undefined) : parseFields(fields);
  return kept.ok ? ok({ filter: parsed.value, fields: kept.value, order, gather, include: parseInclude(include) }) : kept;
};

export const checkOptions = (
  {
    eventTypes,
    filter,
    fields,
    gather,
    include,
  }: Omit<SubscriptionOptions, 'order'> & { readonly eventTypes: readonly SubscribableType[] },
  eventFields: EventFields,
): Refusal<'invalid'> | null =>
  (filter && checkFilter(filter, eventTypes, eventFields)) ??
  (include && checkInclude(eventTypes)) ??
  (fields && checkFields(fields, eventTypes, include ? withIncludedFields(eventFields) : eventFields)) ??
  (gather && checkGathering(gather, eventTypes));
