import { isAllowed, mayDial, type Cidr } from './address.ts';
import { EVENT_SCOPES, EVENT_TYPES, SUBSCRIBABLE_TYPES, type EventType, type SubscribableType } from './event.ts';
import { covers, type Scope } from '../identity/scope.ts';
import { ok, type Refusal, type Result } from '../result.ts';
import { isLongerThan, lengthRule, shortened } from '../values/text.ts';
import type { EventFields } from './event-fields.ts';
import { checkOptions, parseOptions, type OptionsInput, type SubscriptionOptions } from './subscription-options.ts';
import { invalid, parseTarget, type Target } from './webhook-url.ts';

/** A subscription of an installation, or of the merchant (null), which no app sees. */
export interface SubscriptionOwner {
  readonly storeId: string;
  readonly installationId: string | null;
}

/** A subscription in its store: what a request for work, a look-up of its deliveries and a record of them name. */
export interface SubscriptionKey {
  readonly storeId: string;
  readonly subscriptionId: string;
}

export interface SubscriptionInput extends OptionsInput {
  /** The id of the subscription whose place it takes. */
  readonly replaces?: string | undefined;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly description?: string | null | undefined;
}

/** An absent field stays unchanged. Null removes a field that may be null. */
export interface SubscriptionEdit extends OptionsInput {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
}

export interface SubscriptionContent extends SubscriptionOptions {
  readonly url: string;
  /** In catalogue spelling, each once, in the given order. */
  readonly eventTypes: readonly SubscribableType[];
  readonly description: string | null;
}

/** An absent field stays unchanged. */
export type EditedContent = { readonly [K in keyof SubscriptionContent]?: SubscriptionContent[K] | undefined };

export const contentAfter = (before: SubscriptionContent, edit: EditedContent): SubscriptionContent => ({
  url: edit.url ?? before.url,
  eventTypes: edit.eventTypes ?? before.eventTypes,
  description: edit.description === undefined ? before.description : edit.description,
  filter: edit.filter === undefined ? before.filter : edit.filter,
  fields: edit.fields === undefined ? before.fields : edit.fields,
  order: edit.order === undefined ? before.order : edit.order,
  gather: edit.gather === undefined ? before.gather : edit.gather,
  include: edit.include === undefined ? before.include : edit.include,
});

/** docs/specification/webhooks.md, "Subscriptions". Times are ISO 8601 in UTC with milliseconds. */
export interface Subscription extends SubscriptionContent {
  readonly id: string;
  readonly isActive: boolean;
  readonly hasSigningSecret: boolean;
  readonly isDeliverable: boolean;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly installationId: string | null;
}

export const MAX_SUBSCRIPTIONS = 50;
export const MAX_EVENT_TYPES = 100;
const MAX_DESCRIPTION_LENGTH = 256;

export const known = <T extends SubscribableType>(type: string, types: readonly T[]): T | undefined => {
  const wanted = type.toLowerCase();
  return types.find((candidate) => candidate.toLowerCase() === wanted);
};

export const mayReceiveType = (scopes: readonly Scope[], type: SubscribableType): boolean =>
  type in EVENT_SCOPES && covers(scopes, EVENT_SCOPES[type as EventType]);

/** The event types that an app could receive before and cannot receive after. */
export const typesLost = (before: readonly Scope[], after: readonly Scope[]): readonly EventType[] =>
  EVENT_TYPES.filter((type) => mayReceiveType(before, type) && !mayReceiveType(after, type));

/** The most unknown event types that a message quotes, and the most characters of each. */
const QUOTED = { types: 10, characters: 64 };

export const unknownTypes = (types: readonly string[]): Refusal<'invalid'> => {
  const quoted = types.slice(0, QUOTED.types).map((type) => shortened(type, QUOTED.characters));
  return invalid(`Unknown event type: ${quoted.join(', ')}.`);
};

const parseTypes = <T extends SubscribableType>(
  input: readonly string[],
  types: readonly T[],
): Result<readonly T[], 'invalid'> => {
  if (input.length === 0) return invalid('eventTypes must not be empty.');
  const unknown = input.filter((type) => !known(type, types));
  if (unknown.length > 0) return unknownTypes(unknown);
  return ok([...new Set(input.flatMap((type) => known(type, types) ?? []))]);
};

/** `scopes` are the installation's. Null is the merchant, who may receive everything. */
const parseEventTypes = (
  input: readonly string[],
  scopes: readonly Scope[] | null,
): Result<readonly SubscribableType[], 'invalid'> => {
  if (scopes === null) return parseTypes(input, SUBSCRIBABLE_TYPES);
  const named = parseTypes(input, EVENT_TYPES);
  if (!named.ok) return named;
  const refused = named.value.filter((type) => !mayReceiveType(scopes, type));
  if (refused.length === 0) return named;
  const reasons = refused.map((type) => `${type} (needs ${EVENT_SCOPES[type]})`);
  return invalid(`This installation cannot receive: ${reasons.join(', ')}.`);
};

const parseDescription = (description: string | null): Result<string | null, 'invalid'> =>
  description !== null && isLongerThan(description, MAX_DESCRIPTION_LENGTH)
    ? invalid(`description ${lengthRule(MAX_DESCRIPTION_LENGTH)}.`)
    : ok(description);

export const parseSubscription = (
  input: SubscriptionInput,
  scopes: readonly Scope[] | null,
  eventFields: EventFields,
): Result<SubscriptionContent & Target, 'invalid'> => {
  const target = parseTarget(input.url);
  if (!target.ok) return target;
  const eventTypes = parseEventTypes(input.eventTypes, scopes);
  if (!eventTypes.ok) return eventTypes;
  const description = parseDescription(input.description ?? null);
  if (!description.ok) return description;
  const options = parseOptions(input);
  if (!options.ok) return options;
  const { filter = null, fields = null, order = null, gather = null, include = null } = options.value;
  const named = { eventTypes: eventTypes.value, description: description.value };
  const content = { url: input.url, ...named, filter, fields, order, gather, include };
  return checkOptions(content, eventFields) ?? ok({ ...content, ...target.value });
};

/** An edit of the merchant's own subscription, with the target of a new URL. */
export const parseEdit = ({
  url,
  eventTypes,
  description,
  ...given
}: SubscriptionEdit): Result<EditedContent & { readonly target: (Target & { readonly url: string }) | null }, 'invalid'> => {
  const target = url === undefined ? ok(null) : parseTarget(url);
  if (!target.ok) return target;
  const types = eventTypes === undefined ? ok(undefined) : parseEventTypes(eventTypes, null);
  if (!types.ok) return types;
  const described = description === undefined ? ok(undefined) : parseDescription(description);
  if (!described.ok) return described;
  const options = parseOptions(given);
  if (!options.ok) return options;
  const found = target.value && url !== undefined ? { ...target.value, url } : null;
  return ok({ url, eventTypes: types.value, description: described.value, ...options.value, target: found });
};

/**
 * Refuses a URL by the addresses of its host. An https name that does not resolve yet is accepted,
 * and is judged again when it is dialled. Plain http may go to allowed ranges only.
 */
export const checkAddresses = (
  addresses: readonly Uint8Array[],
  secure: boolean,
  allowed: readonly Cidr[],
): Refusal<'invalid'> | null => {
  if (!addresses.every((address) => mayDial(address, allowed))) return invalid('url must not be a private address.');
  if (secure || (addresses.length > 0 && addresses.every((address) => isAllowed(address, allowed)))) return null;
  return invalid('url must be an https URL.');
};
