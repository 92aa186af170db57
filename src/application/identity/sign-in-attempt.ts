import { ATTEMPT_SECONDS } from '../../domain/identity/sign-in-method.ts';
import type { SignInAttemptKey } from '../../domain/ports/identity/console-sessions.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { SecretUnopened } from '../../domain/ports/secrets.ts';
import { isoTime } from '../../domain/time.ts';

/** Purpose of an attempt. An attempt is not valid for another purpose. */
type AttemptPurpose = 'passkey_sign_in' | 'passkey_addition' | 'provider_sign_in';

/** An attempt to sign in, or to add a passkey. */
export interface SignInAttempt {
  /** 64 hex digits that only this attempt has: the challenge of a passkey, and the source of what else is sent out. */
  readonly secret: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/** By it, it is noted that the attempt was used. */
export const attemptKey = (
  secrets: Pick<Ports['secrets'], 'sha256'>,
  { secret, expiresAt }: SignInAttempt,
): SignInAttemptKey => ({
  hash: secrets.sha256(secret),
  expiresAt: isoTime(expiresAt),
});

interface SealedAttempt extends SignInAttempt {
  readonly operatorId: string | null;
}

const SECRET_BYTES = 32;

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const contextOf = (purpose: AttemptPurpose): string => `console attempt ${purpose}`;

type AttemptPorts = Pick<Ports, 'clock' | 'secrets'>;

/**
 * Begins an attempt, by the operator who is signed in where there is one. Nothing is written: the browser keeps it sealed, so nobody
 * fills a table by beginning, and only the same browser can finish.
 */
export const beginAttempt =
  ({ clock, secrets }: AttemptPorts) =>
  (purpose: AttemptPurpose, operatorId: string | null = null): { readonly sealed: string; readonly secret: string } => {
    const secret = hexOf(secrets.randomBytes(SECRET_BYTES));
    const attempt: SealedAttempt = { secret, expiresAt: clock.now() + ATTEMPT_SECONDS * 1_000, operatorId };
    return { sealed: secrets.seal(JSON.stringify(attempt), contextOf(purpose)), secret };
  };

const opened = ({ secrets }: AttemptPorts, purpose: AttemptPurpose, sealed: string): SealedAttempt | null => {
  try {
    return JSON.parse(secrets.open(sealed, contextOf(purpose))) as SealedAttempt;
  } catch (error) {
    if (error instanceof SecretUnopened) return null;
    throw error;
  }
};

/** The attempt that was begun for this purpose by this operator; null for any other text, and for one that has expired. */
export const openAttempt =
  (ports: AttemptPorts) =>
  (purpose: AttemptPurpose, sealed: string, operatorId: string | null = null): SignInAttempt | null => {
    const attempt = opened(ports, purpose, sealed);
    return attempt?.operatorId === operatorId && attempt.expiresAt > ports.clock.now() ? attempt : null;
  };
