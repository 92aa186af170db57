import type { TenonEvent } from '../event.ts';
import { isSigned, type Key } from './signature.ts';

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

const MISMATCH =
  'The signature does not match. Check that the signing secret is that of this app, and that nothing changes the body before the receiver.';

/** The event, once its signature and its time are verified; else why it is refused. */
export const verify = async (
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
