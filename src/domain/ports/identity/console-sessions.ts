/** SHA-256 of the text of a session or a code, in hex. */
type Hash = string;
/** Of the admin token under which it was made, in hex. */
type TokenHash = string;

export interface ConsoleSessions {
  /** Starts a session. */
  start(hash: Hash, tokenHash: TokenHash): Promise<void>;
  /** Creates a code for 10 minutes, and returns when it expires, in ISO 8601. */
  createCode(hash: Hash, tokenHash: TokenHash): Promise<string>;
  /**
   * Starts a session in exchange for the code. Returns false and starts nothing when the code was
   * used before. Returns false when the code has expired. Returns false when the code was made
   * under another admin token. Returns false for the hash of a session.
   */
  exchange(code: Hash, hash: Hash, tokenHash: TokenHash): Promise<boolean>;
  /**
   * Returns whether the session exists. Returns false after 30 minutes without use. A use keeps the
   * session for another 30 minutes. Returns false 8 hours after the start. Returns false when the
   * session was started under another admin token. Returns false for the hash of a code.
   */
  use(hash: Hash, tokenHash: TokenHash): Promise<boolean>;
  /**
   * Returns whether the session has not ended, under this admin token. Does not keep it for longer.
   */
  isValid(hash: Hash, tokenHash: TokenHash): Promise<boolean>;
  /** Ends the session. Leaves other sessions as they are. */
  end(hash: Hash): Promise<void>;
  /** Deletes at most `limit` sessions and codes that have expired, and returns how many. */
  purge(limit: number): Promise<number>;
}
