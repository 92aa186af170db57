import type { ConsoleSession, SessionOrigin } from '../../identity/console-session.ts';
import type { Actor } from '../../identity/operator.ts';

/** SHA-256 of the text of a session or a code, in hex. */
type Hash = string;
/** Hash of the admin token under which it was made, in hex. */
type TokenHash = string;
/** Who opens a session or a code. */
export interface SessionOpener {
  readonly operatorId: string;
  /** The token of the operator that opens it; null for a link, a passkey or the identity provider. */
  readonly tokenId: string | null;
}

/** Null for the holder of the admin token. */
type Opener = SessionOpener | null;

export interface SessionUse {
  readonly id: string;
  /** With the present role and stores. The holder of the admin token is OWNER. */
  readonly actor: Actor;
}

export interface SignInAttemptKey {
  readonly hash: Hash;
  /** ISO 8601. It is refused after that, so its hash is kept no longer. */
  readonly expiresAt: string;
}

export interface ConsoleSessions {
  /**
   * Starts a session of the operator. Returns false and starts nothing when the token that opens it
   * has ended.
   */
  start(hash: Hash, tokenHash: TokenHash, opener: Opener, origin: SessionOrigin): Promise<boolean>;
  /** Notes that the attempt is used. Returns false when it was used before. */
  useOnce(attempt: SignInAttemptKey, tokenHash: TokenHash): Promise<boolean>;
  /**
   * Starts a session of the operator for an attempt to sign in, whose hash and end are given. Returns
   * false and starts nothing when the attempt has started a session before.
   */
  startOnce(
    attempt: SignInAttemptKey,
    hash: Hash,
    tokenHash: TokenHash,
    operatorId: string,
    origin: SessionOrigin,
  ): Promise<boolean>;
  /**
   * Creates a code of the operator for 10 minutes, and returns when it expires, in ISO 8601. Returns
   * null and creates nothing when the token that opens it has ended. Ends the oldest codes of the
   * operator beyond 10.
   */
  createCode(hash: Hash, tokenHash: TokenHash, opener: Opener): Promise<string | null>;
  /**
   * Returns who the code signs in, and leaves the code as it is. Returns null when it would start no
   * session.
   */
  lookAtCode(code: Hash, tokenHash: TokenHash): Promise<Pick<Actor, 'operatorId' | 'name'> | null>;
  /**
   * Starts a session of the code's operator in exchange for the code. Returns false and starts nothing when the code was
   * used before. Returns false when the code has expired. Returns false when the code was made
   * under another admin token. Returns false for the hash of a session. Returns false when the token that
   * made the code has ended.
   */
  exchange(code: Hash, hash: Hash, tokenHash: TokenHash, origin: SessionOrigin): Promise<boolean>;
  /**
   * Returns the session with who uses it. Returns null when the session does not exist. Returns null
   * after 30 minutes without use. A use keeps the
   * session for another 30 minutes. Returns null 8 hours after the start. Returns null when the
   * session was started under another admin token. Returns null for the hash of a code. Returns null
   * when its operator has ended. Returns null when the token that opened it, or its code, was revoked or
   * has expired.
   */
  use(hash: Hash, tokenHash: TokenHash): Promise<SessionUse | null>;
  /**
   * Returns the session that has not ended, under this admin token, with who uses it. Does not keep
   * it for longer.
   */
  look(hash: Hash, tokenHash: TokenHash): Promise<SessionUse | null>;
  /** Returns the sessions that have not ended, under this admin token, the newest first. */
  list(tokenHash: TokenHash): Promise<readonly ConsoleSession[]>;
  /** Ends the session. Leaves other sessions as they are. An attempt that has started a session stays used. */
  end(hash: Hash): Promise<void>;
  /** Ends the session of this id. Leaves other sessions as they are. Returns false when there is no such session. */
  endById(id: string): Promise<boolean>;
  /** Deletes at most `limit` sessions and codes that have expired, and returns how many. */
  purge(limit: number): Promise<number>;
}
