import type { SharedTraceparent } from '../trace.ts';

/** The signed content of Standard Webhooks 1.0.0. `timestamp` is in seconds since the epoch. */
export const signedContent = (id: string, timestamp: number, body: string): string => `${id}.${String(timestamp)}.${body}`;

/** The headers of an attempt. `signature` has one `v1,...` for each secret, the newest first. */
export const attemptHeaders = (attempt: {
  readonly eventId: string;
  readonly timestamp: number;
  readonly signature: string;
  readonly subscriptionId: string;
  readonly number: number;
  /** The span of the attempt. Null or absent where its event belongs to no trace, or to that of somebody else. */
  readonly traceparent?: SharedTraceparent | null;
  /** The event before this one of its resource, which was given up. */
  readonly gap?: string | null;
}): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Tenon-Webhooks',
    'webhook-id': attempt.eventId,
    'webhook-timestamp': String(attempt.timestamp),
    'webhook-signature': attempt.signature,
    'webhook-subscription-id': attempt.subscriptionId,
    'webhook-attempt': String(attempt.number),
  };
  if (attempt.traceparent) headers['traceparent'] = attempt.traceparent;
  if (attempt.gap != null) headers['webhook-gap'] = attempt.gap;
  return headers;
};

/** All headers of an attempt's request, in their order, as the connection writes them. `bytes` is the length of the body. */
export const sentHeaders = (
  url: string | null,
  attempt: Parameters<typeof attemptHeaders>[0],
  bytes: number,
): Readonly<Record<string, string>> => ({
  ...(url !== null && { host: new URL(url).host }),
  connection: 'keep-alive',
  ...attemptHeaders(attempt),
  'content-length': String(bytes),
});
