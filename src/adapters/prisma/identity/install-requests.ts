import { INSTALL_REQUEST_SECONDS } from '../../../domain/identity/install-request.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import type { DecidedInstall, InstallRequests } from '../../../domain/ports/identity/install-requests.ts';
import type { Database } from '../connection/database.ts';
import { endOldest, expired, findOldest, removal } from '../connection/purge.ts';
import type { Sql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { isUnexpired } from '../connection/unexpired.ts';
import { ADD_EVENT_ADDRESS } from './event-addresses.ts';
import { installationOf } from './installation-repository.ts';
import { GET_INSTALLATION } from './installation-statements.ts';

const REQUEST = { storeId: 'uuid', id: 'uuid' } as const;

/**
 * Processes of version 0.1.0 keep requests here. A row without a redirect URL is that of a request that was decided: those
 * processes refuse it, since no app has that URL.
 */
const IS_KEPT = "redirect_url <> ''";

const IS_DECIDED = statement({
  text: "SELECT FROM install_requests WHERE store_id = $storeId AND id = $id AND redirect_url = ''",
  parameters: REQUEST,
});

const GET = statement({
  text: `
    SELECT store_id AS "storeId", id, app_id AS "appId", scopes, redirect_url AS "redirectUrl", state, expires_at AS "expiresAt"
    FROM install_requests WHERE store_id = $storeId AND id = $id AND ${IS_KEPT} AND expires_at > clock_timestamp()`,
  parameters: REQUEST,
  row: {
    ...REQUEST,
    appId: 'uuid',
    scopes: oneOf('text[]', ALL_SCOPES),
    redirectUrl: 'text',
    state: 'text?',
    expiresAt: 'timestamptz',
  },
});

/** A second decision at the same time waits for the first, and then changes nothing. The mark ends no earlier than the request. */
const MARK = statement({
  text: `
    INSERT INTO install_requests (store_id, id, app_id, scopes, redirect_url, expires_at)
    VALUES ($storeId, $id, $appId, '{}', '', clock_timestamp() + make_interval(secs => ${INSTALL_REQUEST_SECONDS}))
    ON CONFLICT DO NOTHING`,
  parameters: { ...REQUEST, appId: 'uuid' },
});

const TAKE = statement({
  text: `DELETE FROM install_requests WHERE store_id = $storeId AND id = $id AND ${IS_KEPT} AND ${isUnexpired('expires_at')}`,
  parameters: REQUEST,
});

/** The lock makes a change of what the app asks for come wholly before or wholly after: then it finds the installation. */
const SHARE_APP = statement({
  text: `
    SELECT name, event_url AS "eventUrl" FROM platform_apps
    WHERE id = $appId AND status = 'Active' AND $scopes::text[] <@ (scopes || optional_scopes) FOR SHARE`,
  parameters: { appId: 'uuid', scopes: 'text[]' },
  row: { name: 'text', eventUrl: 'text?' },
});

/** Locks the installation that the app may have already. The client id is one that nobody gets, since the app has its own. */
const INSTALL = statement({
  text: `
    INSERT INTO installations AS i (store_id, id, app_id, name, client_id, scopes)
    VALUES ($storeId, $id, $appId, $name, $id::uuid::text, $scopes)
    ON CONFLICT (store_id, app_id) WHERE app_id IS NOT NULL AND status <> 'Uninstalled' DO UPDATE SET updated_at = excluded.created_at
    RETURNING id`,
  parameters: { ...REQUEST, appId: 'uuid', name: 'text', scopes: 'text[]' },
  row: { id: 'uuid' },
});

const ADD_SCOPES = statement({
  text: `
    UPDATE installations SET scopes = ARRAY(
      SELECT DISTINCT scope COLLATE "C" AS scope FROM unnest(scopes || $scopes::text[]) scope ORDER BY scope)
    WHERE store_id = $storeId AND id = $id`,
  parameters: { ...REQUEST, scopes: 'text[]' },
});

const EXPIRED = expired('install_requests');
const PURGE = { find: statement(findOldest(EXPIRED)), end: statement(removal(EXPIRED)) };

/** Returns true if nobody has used the request before. */
const useUp = async (sql: Sql, { storeId, id, appId, isKept }: DecidedInstall): Promise<boolean> =>
  (isKept ? await sql.execute(TAKE, { storeId, id }) : await sql.execute(MARK, { storeId, id, appId })) > 0;

export const installRequests = (database: Database): InstallRequests => ({
  get: async (storeId, id) => {
    const [row] = await database.rows(GET, { storeId, id });
    return row ? { ...row, expiresAt: row.expiresAt.getTime(), isKept: true } : null;
  },
  isDecided: async (storeId, id) => (await database.execute(IS_DECIDED, { storeId, id })) > 0,
  accept: (request, { installationId, scopes }) =>
    database.transaction(async (sql) => {
      const { storeId, id, appId } = request;
      if ((await sql.execute(IS_DECIDED, { storeId, id })) > 0) return null;
      const [app] = await sql.rows(SHARE_APP, { appId, scopes });
      if (!app) return 'not_asked';
      if (!(await useUp(sql, request))) return null;
      const [installed] = await sql.rows(INSTALL, { storeId, id: installationId, appId, name: app.name, scopes });
      if (!installed) throw new Error('An INSERT returned no row.');
      if (installed.id !== installationId) sql.enqueue(ADD_SCOPES, { storeId, id: installed.id, scopes });
      if (app.eventUrl !== null) sql.enqueue(ADD_EVENT_ADDRESS, { storeId, appId, url: app.eventUrl });
      const [row] = await sql.rows(GET_INSTALLATION, { storeId, id: installed.id });
      return row ? installationOf(row) : null;
    }),
  refuse: (request) => useUp(database, request),
  purge: (limit) => endOldest(database, PURGE, 0, limit),
});
