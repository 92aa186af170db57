/** The signed content of Standard Webhooks 1.0.0. `timestamp` is in seconds since the epoch. */
export const signedContent = (id: string, timestamp: number, body: string): string => `${id}.${String(timestamp)}.${body}`;

/** The headers of an attempt. `signatures` are `v1,...`, that of the newest secret first. */
export const attemptHeaders = (attempt: {
  readonly eventId: string;
  readonly timestamp: number;
  readonly signatures: readonly string[];
  readonly subscriptionId: string;
  readonly number: number;
}): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'user-agent': 'Tenon-Webhooks',
  'webhook-id': attempt.eventId,
  'webhook-timestamp': String(attempt.timestamp),
  'webhook-signature': attempt.signatures.join(' '),
  'webhook-subscription-id': attempt.subscriptionId,
  'webhook-attempt': String(attempt.number),
});
