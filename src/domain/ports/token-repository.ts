export interface TokenRepository {
  /** Issues a token with this SHA-256 (hex) and answers the seconds it lives. Null, and nothing is written, when the installation may not call (any more). An installation may hold many. */
  issue(installationId: string, hash: string): Promise<number | null>;
  /** Revokes every token of the installation. False when there is no such installation. */
  revokeAll(installationId: string): Promise<boolean>;
  /** Deletes up to `limit` tokens that have expired or were revoked. Returns how many. */
  purge(limit: number): Promise<number>;
}
