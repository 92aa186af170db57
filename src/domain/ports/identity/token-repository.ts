export interface TokenRepository {
  /**
   * Issues a token with this SHA-256 in hex, and returns its lifetime in seconds. The lifetime is
   * the given one, or else that of all tokens. Returns null and writes nothing when the installation
   * may not call. An installation can have many tokens.
   */
  issue(storeId: string, installationId: string, hash: string, seconds?: number): Promise<number | null>;
  /**
   * Revokes every token of the installation. Ends its console sessions and login codes. Leaves a token valid that is issued afterwards.
   * Returns false when the store does not have the installation.
   */
  revokeAll(storeId: string, installationId: string): Promise<boolean>;
  /** Deletes at most `limit` tokens that are expired or revoked, and returns how many. */
  purge(limit: number): Promise<number>;
}
