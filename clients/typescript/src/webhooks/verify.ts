import type { TenonEvent } from '../event.ts';
import { isSigned, keyOf, type Key } from './signature.ts';

/** Reads one header by its name in lower case. */
export type HeaderReader = (name: string) => string | null | undefined;

/** A delivery that is not accepted, and why, for the log of the sender. */
export interface Refused {
  readonly status: 400;
  readonly reason: string;
}

/** By what a delivery is verified. */
export interface Verification {
  readonly keys: readonly Key[];
  /** Seconds that the clocks may differ, in both directions. */
  readonly tolerance: number;
}

const refuse = (reason: string): Refused => ({ status: 400, reason });

/** The keys of the secrets; undefined entries are left out. Throws a TypeError without any. */
export const keysOf = (secrets: readonly (string | undefined)[]): Promise<Key[]> => {
  const given = secrets.filter((secret): secret is string => Boolean(secret));
  if (given.length === 0) throw new TypeError('secrets must have the signing secret of the app');
  return Promise.all(given.map((secret) => keyOf(secret)));
};

/** Seconds that the clocks may differ by default. */
export const TOLERANCE = 300;

const MISMATCH =
  'The signature does not match. Check that the signing secret is that of this app, and that nothing changes the body before the receiver.';

/** The event, once its signature and its time are verified; else why it is refused. */
export const verifyDelivery = async (
  body: Uint8Array,
  header: HeaderReader,
  { keys, tolerance }: Verification,
): Promise<TenonEvent | Refused> => {
  const [id, time, signature] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
  if (!id || !time || !signature) return refuse('The headers webhook-id, webhook-timestamp and webhook-signature are required.');
  if (!/^\d{1,12}$/.test(time)) return refuse('webhook-timestamp must be in seconds since the epoch.');
  const timestamp = Number(time);
  const late = Date.now() / 1_000 - timestamp;
  if (Math.abs(late) > tolerance) {
    const difference = `${String(Math.abs(Math.round(late)))} seconds ${late > 0 ? 'ago' : 'ahead'}`;
    return refuse(`The delivery was signed ${difference}, which is more than ${String(tolerance)}. Check the clocks.`);
  }
  if (!(await isSigned(keys, signature, { id, timestamp, body }))) return refuse(MISMATCH);
  try {
    return JSON.parse(new TextDecoder().decode(body)) as TenonEvent;
  } catch {
    return refuse('The body is not JSON.');
  }
};

/** Further input of `verify`, beside the delivery. */
export interface VerifyOptions {
  /** The signing secret, and the previous one while it rotates. Undefined entries are left out. */
  readonly secrets: readonly (string | undefined)[];
  /** Seconds that the clocks may differ: 300 by default. */
  readonly tolerance?: number | undefined;
}

/** A delivery that is not from Tenon, or is too old. Answer it with 400. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
}

/**
 * The event of a delivery, for flows without a receiver, such as a queue of raw deliveries. `body` is
 * its bytes as they came, or their text. Rejects with a `VerificationError`.
 *
 * @example
 * const event = await verify(await request.text(), request.headers, { secrets: [process.env['SIGNING_SECRET']] });
 */
export const verify = async (
  body: Uint8Array | string,
  headers: Headers | HeaderReader,
  { secrets, tolerance = TOLERANCE }: VerifyOptions,
): Promise<TenonEvent> => {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const header: HeaderReader = typeof headers === 'function' ? headers : (name) => headers.get(name);
  const verified = await verifyDelivery(bytes, header, { keys: await keysOf(secrets), tolerance });
  if ('reason' in verified) throw new VerificationError(verified.reason);
  return verified;
};
