import { keyOf, signatureOf } from './signature.ts';

/** A delivery to sign. */
export interface Delivery {
  readonly id: string;
  readonly body: string;
  /** Now by default. */
  readonly at?: Date | undefined;
}

/**
 * The headers of a delivery as Tenon signs it, so that you can test your receiver. Several secrets
 * give a signature each, as while a secret rotates.
 *
 * @example
 * const headers = await sign(secret, { id: event.id, body: JSON.stringify(event) });
 */
export const sign = async (
  secrets: string | readonly string[],
  { id, body, at = new Date() }: Delivery,
): Promise<Record<string, string>> => {
  const timestamp = Math.floor(at.getTime() / 1_000);
  const signed = { id, timestamp, body: new TextEncoder().encode(body) };
  const signatures = [secrets].flat().map(async (secret) => signatureOf(await keyOf(secret), signed));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
};
