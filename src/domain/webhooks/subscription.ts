import { isAllowed, mayDial } from './address.ts';
import type { Cidr } from './address.ts';
import { EVENT_SCOPES, EVENT_TYPES } from './event.ts';
import type { EventType } from './event.ts';
import type { InstallationStatus } from '../identity/installation.ts';
import { covers } from '../identity/scope.ts';
import type { EnforcedScope, Scope } from '../identity/scope.ts';
import type { StoreStatus } from '../identity/store.ts';
import { isLongerThan, shortened } from '../values/text.ts';
import { parseTarget } from './webhook-url.ts';

/** What a subscription can name: the catalogue, and for the merchant the end of an app. */
export type SubscribableType = EventType | 'app.uninstalled';

/** Whose it is: an installation's, or the merchant's own (null), which no app sees. */
export interface SubscriptionOwner {
  readonly storeId: string;
  readonly installationId: string | null;
}

export interface SubscriptionInput {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly description?: string | null | undefined;
}

export interface SubscriptionContent {
  readonly url: string;
  /** In catalogue spelling, without repeats, in the order given. */
  readonly eventTypes: readonly SubscribableType[];
  readonly description: string | null;
}

/** The webhook subscription of app-api.md. Times are ISO 8601 in UTC with milliseconds. */
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
/** Event types that one subscription names at most, repeats included. */
export const MAX_EVENT_TYPES = 100;
export const MAX_DESCRIPTION_LENGTH = 256;

type Checked<T> = { readonly value: T } | { readonly fault: string };

const known = (type: string, types: readonly SubscribableType[]): SubscribableType | undefined => {
  const wanted = type.toLowerCase();
  return types.find((candidate) => candidate.toLowerCase() === wanted);
};

/** Null for what no scope brings: an app never hears of an uninstall. */
const neededScope = (type: SubscribableType): EnforcedScope | null => (type === 'app.uninstalled' ? null : EVENT_SCOPES[type]);

const mayReceive = (scopes: readonly Scope[], type: SubscribableType): boolean => {
  const needed = neededScope(type);
  return needed !== null && covers(scopes, needed);
};

/** The event types that an app could receive and can no more. */
export const typesLost = (before: readonly Scope[], after: readonly Scope[]): readonly EventType[] =>
  EVENT_TYPES.filter((type) => mayReceive(before, type) && !mayReceive(after, type));

/** `scopes` are the installation's; null for the merchant, who may receive everything. */
const eventTypesOf = (input: readonly string[], scopes: readonly Scope[] | null): Checked<readonly SubscribableType[]> => {
  if (input.length === 0) return { fault: 'eventTypes must not be empty.' };
  const types: readonly SubscribableType[] = scopes ? EVENT_TYPES : [...EVENT_TYPES, 'app.uninstalled'];
  const unknown = input.filter((type) => !known(type, types));
  // Named as they came, but no longer than any name of the catalogue could excuse.
  if (unknown.length > 0)
    return {
      fault: `Unknown event type: ${unknown
        .slice(0, 10)
        .map((type) => shortened(type, 64))
        .join(', ')}.`,
    };
  const value = [...new Set(input.map((type) => known(type, types)))].filter((type) => type !== undefined);
  const refused = scopes === null ? [] : value.filter((type) => !mayReceive(scopes, type));
  if (refused.length === 0) return { value };
  return {
    fault: `This installation cannot receive: ${refused.map((type) => `${type} (needs ${neededScope(type) ?? 'the merchant'})`).join(', ')}.`,
  };
};

/** All rules of POST /apps/webhooks/subscriptions but the ones on addresses, with the public text of the first that is broken. */
export const parseSubscription = (
  input: SubscriptionInput,
  scopes: readonly Scope[] | null,
): Checked<SubscriptionContent & { readonly host: string; readonly secure: boolean }> => {
  const target = parseTarget(input.url);
  if ('fault' in target) return target;
  const eventTypes = eventTypesOf(input.eventTypes, scopes);
  if ('fault' in eventTypes) return eventTypes;
  const description = input.description ?? null;
  if (description !== null && isLongerThan(description, MAX_DESCRIPTION_LENGTH)) {
    return { fault: `description must have at most ${MAX_DESCRIPTION_LENGTH} characters.` };
  }
  return { value: { url: input.url, eventTypes: eventTypes.value, description, ...target.value } };
};

/**
 * What is wrong with the addresses of the URL's host; null when nothing. A name that doesn't resolve yet has none: over https it is
 * accepted and judged again at connect time. Plain http goes to allowed ranges only.
 */
export const addressFault = (addresses: readonly Uint8Array[], secure: boolean, allowed: readonly Cidr[]): string | null => {
  if (!addresses.every((address) => mayDial(address, allowed))) return 'url must not be a private address.';
  if (secure || (addresses.length > 0 && addresses.every((address) => isAllowed(address, allowed)))) return null;
  return 'url must be an https URL.';
};

/** What decides whether a subscription's events go out. The merchant's own stand under no installation: both are null. */
export interface DeliveryState {
  readonly isActive: boolean;
  readonly hasSigningSecret: boolean;
  readonly eventTypes: readonly SubscribableType[];
  readonly storeStatus: StoreStatus;
  readonly installationStatus: InstallationStatus | null;
  readonly scopes: readonly Scope[] | null;
  readonly breakerClosed: boolean;
}

/** Active, installation live, store active, secret present, scopes still cover every event type, breaker closed (decisions.md, Webhooks). */
export const isDeliverable = (state: DeliveryState): boolean => {
  const { scopes, installationStatus } = state;
  const ready = state.isActive && state.hasSigningSecret && state.breakerClosed;
  const live = state.storeStatus === 'Active' && (installationStatus === null || installationStatus === 'Installed');
  return ready && live && (scopes === null || state.eventTypes.every((type) => mayReceive(scopes, type)));
};
