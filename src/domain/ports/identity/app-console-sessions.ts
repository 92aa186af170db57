/** SHA-256 of the text of a session or a code, in hex. */
type Hash = string;

export interface AppConsoleSessions {
  /**
   * Starts a session of the installation. Returns false and starts nothing when the installation
   * may not call.
   */
  start(storeId: string, installationId: string, hash: Hash): Promise<boolean>;
  /**
   * Creates a code for 10 minutes, and returns when it expires, in ISO 8601. Returns null and
   * creates nothing when the installation may not call.
   */
  createCode(storeId: string, installationId: string, hash: Hash): Promise<string | null>;
  /**
   * Returns the name of the installation that the code signs in to, and leaves the code as it is. Returns null when it would
   * start no session.
   */
  lookAtCode(code: Hash, domain: string): Promise<string | null>;
  /**
   * Starts a session of the code's installation. Returns false and starts nothing when the code was
   * used before. Returns false when the code has expired. Returns false when the code is for
   * another store's domain. Returns false when the installation may not call. Returns false for the
   * hash of a session.
   */
  exchange(code: Hash, hash: Hash, domain: string): Promise<boolean>;
  /** Ends the session on the store of this domain. Leaves other sessions as they are. */
  end(hash: Hash, domain: string): Promise<void>;
  /** Deletes at most `limit` sessions and codes that have expired, and returns how many. */
  purge(limit: number): Promise<number>;
}
