import type { AppConsoleSessions } from '../../../domain/ports/identity/app-console-sessions.ts';
import { endOldest, expired, findOldest, removal } from '../connection/purge.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { isUnexpired } from '../connection/unexpired.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { statusOf } from '../work/installation-status.ts';
import { exchanging, OPENED, openedAs, opening } from './session-rows.ts';
import type { StoreDirectory } from './store-directory.ts';

/**
 * The installation, if it may call. The lock makes a revocation or an uninstallation come wholly
 * before or wholly after.
 */
export const CALLER = `
  SELECT i.store_id, i.id FROM installations i JOIN stores s ON s.id = i.store_id
  WHERE i.store_id = $storeId AND i.id = $installationId AND ${statusOf('i')} = 'Installed' AND s.status = 'Active' FOR SHARE OF i`;

const OPEN = statement({
  text: opening('app_console_sessions', { store_id: 'caller.store_id', installation_id: 'caller.id' }, `(${CALLER}) caller`),
  parameters: { storeId: 'uuid', installationId: 'uuid', ...OPENED },
  row: { expiresAt: 'timestamptz' },
});

/** The installation of code `c`, if the code starts a session on this domain. */
const OF_CODE = `
  FROM app_console_sessions c
  JOIN installations i ON i.store_id = c.store_id AND i.id = c.installation_id JOIN stores s ON s.id = i.store_id
  WHERE c.store_id = $storeId AND c.hash = $code AND c.kind = 'Code' AND ${isUnexpired('c.expires_at')}
    AND ${statusOf('i')} = 'Installed' AND s.status = 'Active' AND s.domain = $domain
    AND platform_app_refusal(i.app_id, c.created_at) IS NULL`;

const LOOK_AT_CODE = statement({
  text: `SELECT i.name ${OF_CODE}`,
  parameters: { storeId: 'uuid', domain: 'text', code: 'bytea' },
  row: { name: 'text' },
});

/** The lock on the installation is that of CALLER. */
const EXCHANGE = statement({
  text: exchanging(
    'app_console_sessions',
    `SELECT i.store_id, i.id ${OF_CODE} FOR SHARE OF i`,
    'c.store_id = $storeId AND c.installation_id = owners.id',
  ),
  parameters: { storeId: 'uuid', domain: 'text', code: 'bytea', ...OPENED },
});

const END = statement({
  text: 'DELETE FROM app_console_sessions WHERE store_id = $storeId AND hash = $hash',
  parameters: { storeId: 'uuid', hash: 'bytea' },
});

const EXPIRED = expired('app_console_sessions');
const PURGE = { find: statement(findOldest(EXPIRED)), end: statement(removal(EXPIRED)) };

/** True when the statement changed a row; null otherwise, for the directory. */
const changes = async (changed: Promise<number>): Promise<true | null> => ((await changed) > 0 ? true : null);

export const appConsoleSessions = (sql: Sql, directory: StoreDirectory): AppConsoleSessions => ({
  start: async (storeId, installationId, hash) =>
    (await sql.rows(OPEN, { storeId, installationId, ...openedAs('Session', hash) })).length > 0,
  createCode: async (storeId, installationId, hash) => {
    const [code] = await sql.rows(OPEN, { storeId, installationId, ...openedAs('Code', hash) });
    return code?.expiresAt.toISOString() ?? null;
  },
  lookAtCode: (code, domain) =>
    directory.find(domain, async (storeId) => {
      const [row] = await sql.rows(LOOK_AT_CODE, { storeId, domain, code: bytesOfHex(code) });
      return row?.name ?? null;
    }),
  exchange: async (code, hash, domain) => {
    const given = { domain, code: bytesOfHex(code), ...openedAs('Session', hash) };
    const exchanged = await directory.find(domain, (storeId) => changes(sql.execute(EXCHANGE, { storeId, ...given })));
    return exchanged ?? false;
  },
  end: async (hash, domain) => {
    await directory.find(domain, (storeId) => changes(sql.execute(END, { storeId, hash: bytesOfHex(hash) })));
  },
  purge: (limit) => endOldest(sql, PURGE, 0, limit),
});
