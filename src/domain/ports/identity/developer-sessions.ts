import type { OpenedBy } from '../../identity/platform-app.ts';

/** SHA-256 of the text of a session or a code, in hex. */
type Hash = string;

export interface DeveloperSession {
  readonly appId: string;
  readonly openedBy: OpenedBy;
}

export interface DeveloperSessions {
  /**
   * Starts a session of the app, opened by this client secret. Ends it with the secret. Returns false and
   * starts nothing when the secret is not valid. Returns false and starts nothing when the app is suspended.
   */
  start(appId: string, clientSecretHash: string, hash: Hash): Promise<boolean>;
  /**
   * Creates a code for 10 minutes, and returns when it expires, in ISO 8601. Returns null and creates
   * nothing when the app is suspended. Returns null when the app does not exist.
   */
  createCode(appId: string, hash: Hash): Promise<string | null>;
  /**
   * Returns the id of the app whose developer the code signs in, and leaves the code as it is. Returns null when it would start
   * no session.
   */
  lookAtCode(code: Hash): Promise<string | null>;
  /**
   * Starts a session of the code's app, opened by a link. Ends it with the newest client secret from when
   * the code was made. Returns false and starts nothing when the code was used before. Returns false when
   * the code has expired. Returns false when the app is suspended. Returns false for the hash of a session.
   */
  exchange(code: Hash, hash: Hash): Promise<boolean>;
  /**
   * Returns the app of the session, and what opened it. A use keeps the session for another 30 minutes.
   * Returns null when the session has ended. Returns null when the app is suspended, and also when it is
   * active again.
   */
  use(hash: Hash): Promise<DeveloperSession | null>;
  /** Ends the session. Leaves other sessions as they are. */
  end(hash: Hash): Promise<void>;
  /** Deletes at most `limit` sessions and codes that have expired, and returns how many. */
  purge(limit: number): Promise<number>;
}
