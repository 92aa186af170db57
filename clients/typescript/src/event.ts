import type { components, webhooks } from './generated/openapi.ts';

type Types = keyof webhooks;
type Body<T extends Types> = webhooks[T]['post']['requestBody']['content']['application/json'];

type Keys<D> = D extends unknown ? keyof D : never;
/** Each member of the union, with the fields of the other members as absent. */
type OrAbsent<D, K extends PropertyKey> = D extends unknown
  ? D & Partial<Readonly<Record<Exclude<K, keyof D>, undefined>>>
  : never;

/** The event types that an app gets, and the `ping`. */
export type EventType = Types;

/**
 * The event of a type. Where a body would exceed 256 KB, `data` has its `id` alone: read the
 * resource, or the event by `tenon.events.get`.
 */
export type EventOf<T extends EventType> = T extends unknown
  ? Omit<Body<T>, 'data' | 'type'> & {
      readonly type: T;
      readonly data: OrAbsent<Body<T>['data'], Keys<Body<T>['data']>>;
      /**
       * Trace of the request that caused the event, where there was one. Only events of the feed
       * have it; a webhook has it as a header.
       */
      readonly traceparent?: string;
    }
  : never;

/** An event, as a union that is discriminated by `type`. The same from a webhook and from the feed. */
export type TenonEvent = EventOf<EventType>;

/** An event of any type, one that this version of the client does not know included. */
export type AnyEvent = components['schemas']['Event'];
