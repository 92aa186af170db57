import { DECLARED_EVENTS } from '../events/event-types.ts';
import type { EnforcedScope } from '../identity/scope.ts';

export type SubscribableType = keyof typeof DECLARED_EVENTS;
export const SUBSCRIBABLE_TYPES = Object.keys(DECLARED_EVENTS) as SubscribableType[];

type TypeWith<Key extends string> = {
  [T in SubscribableType]: (typeof DECLARED_EVENTS)[T] extends Readonly<Record<Key, unknown>> ? T : never;
}[SubscribableType];

const typesWith = <const Key extends string>(key: Key) =>
  SUBSCRIBABLE_TYPES.filter((type): type is TypeWith<Key> => key in DECLARED_EVENTS[type]);

/** The event types that an app's subscription can name. */
export type EventType = TypeWith<'scope'>;
export const EVENT_TYPES = typesWith('scope');

/** The scope that an app needs for each (docs/specification/webhooks.md, "Event types"). */
export const EVENT_SCOPES = Object.fromEntries(EVENT_TYPES.map((type) => [type, DECLARED_EVENTS[type].scope])) as Readonly<
  Record<EventType, EnforcedScope>
>;

/** No other app than the one that caused such an event receives it. */
export const PRIVATE_TYPES = typesWith('isPrivate');

/** The merchant's system sends these in. */
export const SENT_IN_TYPES = typesWith('isSentIn');

/** Two of them say together what one that covers both would say. */
export const GATHERED_TYPES = typesWith('gathers');

/** The life of an installation of a platform app. Its event address gets them too. `app.uninstalled` is of every app. */
export type LifeEventType = Extract<SubscribableType, `app.${string}`>;
export const LIFE_EVENT_TYPES = SUBSCRIBABLE_TYPES.filter((type): type is LifeEventType => type.startsWith('app.'));

/** An event in a store, recorded in the transaction that causes it. */
export interface NewEvent {
  /** A UUID that its sender chose, so that it can send the event again. By default a new one. */
  readonly id?: string | undefined;
  readonly storeId: string;
  readonly type: SubscribableType | 'ping';
  readonly resourceId: string | null;
  /** The installation whose request made the change. Null is the merchant. */
  readonly origin: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly dataJson?: string;
}

/** The event with the JSON of its data made now, so that recording it takes less time. */
export const withDataJson = (event: NewEvent): NewEvent => ({ ...event, dataJson: JSON.stringify(event.data) });

/** 256 KB. In a larger body, the data shrinks to its id. */
const MAX_BODY_BYTES = 262_144;

export const fitsWebhook = (body: string): boolean =>
  // A UTF-16 unit has at most three bytes in UTF-8, so most bodies are not encoded to be measured.
  body.length * 3 <= MAX_BODY_BYTES || new TextEncoder().encode(body).length <= MAX_BODY_BYTES;

export interface FrozenBodies {
  readonly body: string;
  /** The body with all the data, where `body` has only the resource's id. */
  readonly wholeBody: string | null;
}

/** The id as the data has it. Without one, there is nothing to look the resource up by. */
const idOf = ({ data, resourceId }: NewEvent) => {
  const id = data['id'] ?? resourceId;
  return id === null ? {} : { id };
};

/** The bodies of the event, made once (docs/specification/webhooks.md, "Body"). `timestamp` is ISO 8601. */
export const frozenBodies = (event: NewEvent, id: string, timestamp: string): FrozenBodies => {
  const envelope = JSON.stringify({ id, type: event.type, timestamp, storeId: event.storeId });
  const bodyWith = (data: string): string => `${envelope.slice(0, -1)},"data":${data}}`;
  const body = bodyWith(event.dataJson ?? JSON.stringify(event.data));
  return fitsWebhook(body) ? { body, wholeBody: null } : { body: bodyWith(JSON.stringify(idOf(event))), wholeBody: body };
};

export const frozenBody = (event: NewEvent, id: string, timestamp: string): string => frozenBodies(event, id, timestamp).body;
