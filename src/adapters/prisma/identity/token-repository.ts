import type { TokenRepository } from '../../../domain/ports/identity/token-repository.ts';
import type { Database } from '../connection/database.ts';
import { endOldest, expired, findOldest, removal } from '../connection/purge.ts';
import { statement } from '../connection/statement.ts';
import { CALLER } from './app-console-sessions.ts';
import { revokeSessions } from './session-end.ts';
import { wakeFeed } from '../work/feed-wake.ts';
import { bytesOfHex } from '../connection/hex.ts';

const INSTALLATION = { storeId: 'uuid', installationId: 'uuid' } as const;

const ISSUE = statement({
  text: `
    INSERT INTO access_tokens (store_id, hash, installation_id, expires_at)
    SELECT caller.store_id, $hash, caller.id, statement_timestamp() + make_interval(secs => $seconds) FROM (${CALLER}) caller`,
  parameters: { ...INSTALLATION, hash: 'bytea', seconds: 'float8' },
});

const LOCK_INSTALLATION = statement({
  text: 'SELECT FROM installations WHERE store_id = $storeId AND id = $installationId FOR NO KEY UPDATE',
  parameters: INSTALLATION,
});

/**
 * The expires_at of a revoked token is -infinity. So the log can distinguish it from an expired
 * one.
 */
const REVOKE_ALL = statement({
  text: `UPDATE access_tokens SET expires_at = '-infinity' WHERE (store_id, installation_id) = ($storeId, $installationId)`,
  parameters: INSTALLATION,
});

const EXPIRED = expired('access_tokens');
const PURGE = { find: statement(findOldest(EXPIRED)), end: statement(removal(EXPIRED)) };

export const tokenRepository = (database: Database, ttlSeconds: number): TokenRepository => ({
  issue: async (storeId, installationId, hash, seconds = ttlSeconds) => {
    // The lock makes a revocation or an uninstall come wholly before or wholly after.
    const issued = await database.execute(ISSUE, { storeId, installationId, hash: bytesOfHex(hash), seconds });
    return issued === 0 ? null : seconds;
  },
  revokeAll: (storeId, installationId) =>
    database.transaction(async (sql) => {
      const found = await sql.execute(LOCK_INSTALLATION, { storeId, installationId });
      await sql.execute(REVOKE_ALL, { storeId, installationId });
      await revokeSessions(sql, storeId, installationId);
      await wakeFeed(sql, 'installation', installationId);
      return found > 0;
    }),
  purge: (limit) => endOldest(database, PURGE, 0, limit),
});
