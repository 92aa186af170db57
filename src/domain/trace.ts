/** A `traceparent` of W3C Trace Context: `00-<trace id>-<span id>-<flags>`, in lower case. */
export type Traceparent = string;

/** A later version may add fields behind these four. */
const HEADER = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

const written = (traceId: string, spanId: string, flags: string): Traceparent => `00-${traceId}-${spanId}-${flags}`;

/** The traceparent that a request brings, in the version that Tenon writes. Undefined for none, and for one that is not valid. */
export const traceparentOf = (header: unknown): Traceparent | undefined => {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = HEADER.exec(header) ?? [];
  return version === undefined || (version === '00' && more !== undefined) ? undefined : written(traceId, spanId, flags);
};

declare const shared: unique symbol;

/** A traceparent that may leave to a receiver or to a reader of the feed. Only `sharedTraceparent` makes it. */
export type SharedTraceparent = Traceparent & { readonly [shared]: true };

export interface TracedEvent {
  readonly traceparent: Traceparent | null;
  /** The installation that caused the event. Null is the merchant. */
  readonly origin: string | null;
}

const SPAN_IDS = 1n << 64n;

/**
 * The span of an attempt, in the trace of its event. Its id follows from the delivery and the number, so that the
 * log can show what was sent, and every attempt has another one.
 */
export const attemptTraceparent = (event: Traceparent | null, deliveryId: string, number: number): Traceparent | null => {
  if (event === null) return null;
  const [, traceId = '', , flags = ''] = event.split('-');
  const last = BigInt(`0x${deliveryId.replaceAll('-', '').slice(16)}`);
  const id = (last + BigInt(number)) % SPAN_IDS;
  // Zero is not an id.
  return written(traceId, (id === 0n ? 1n : id).toString(16).padStart(16, '0'), flags);
};

/**
 * The trace leads back to the one who caused the event: their own receivers get it. With one trace id, apps of
 * different owners could match what they know, so each of the other receivers begins a trace of its own.
 */
export const sharedTraceparent = (
  { traceparent, origin }: TracedEvent,
  receiver: { readonly installationId: string | null; readonly deliveryId: string; readonly number: number },
): SharedTraceparent | null =>
  origin === receiver.installationId
    ? (attemptTraceparent(traceparent, receiver.deliveryId, receiver.number) as SharedTraceparent | null)
    : null;
