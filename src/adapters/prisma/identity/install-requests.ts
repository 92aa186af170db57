import { INSTALL_REQUEST_SECONDS, MAX_INSTALL_REQUESTS } from '../../../domain/identity/install-request.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import type { InstallRequests } from '../../../domain/ports/identity/install-requests.ts';
import type { Database } from '../connection/database.ts';
import { endOldest, expired, findOldest, removal } from '../connection/purge.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { isUnexpired } from '../connection/unexpired.ts';
import { ADD_EVENT_ADDRESS } from './event-addresses.ts';
import { installationOf } from './installation-repository.ts';
import { GET as GET_INSTALLATION } from './installation-statements.ts';

const REQUEST = { storeId: 'uuid', id: 'uuid' } as const;

/** Anybody can make requests: those of one app at one store must block no other. A request that is being decided stays. */
const CREATE = statement({
  text: `
    WITH evicted AS (
      DELETE FROM install_requests WHERE store_id = $storeId AND id = ANY (ARRAY(
        SELECT id FROM install_requests WHERE store_id = $storeId AND id = ANY (ARRAY(
          SELECT id FROM install_requests WHERE store_id = $storeId AND app_id = $appId AND expires_at > clock_timestamp()
          ORDER BY expires_at DESC, id DESC OFFSET ${MAX_INSTALL_REQUESTS - 1}))
        FOR UPDATE SKIP LOCKED)))
    INSERT INTO install_requests (store_id, id, app_id, scopes, redirect_url, state, expires_at)
    VALUES ($storeId, $id, $appId, $scopes, $redirectUrl, $state, clock_timestamp() + make_interval(secs => ${INSTALL_REQUEST_SECONDS}))
    RETURNING expires_at AS "expiresAt"`,
  parameters: { ...REQUEST, appId: 'uuid', scopes: 'text[]', redirectUrl: 'text', state: 'text?' },
  row: { expiresAt: 'timestamptz' },
});

const GET = statement({
  text: `
    SELECT store_id AS "storeId", id, app_id AS "appId", scopes, redirect_url AS "redirectUrl", state, iso(expires_at) AS "expiresAt"
    FROM install_requests WHERE store_id = $storeId AND id = $id AND expires_at > clock_timestamp()`,
  parameters: REQUEST,
  row: {
    ...REQUEST,
    appId: 'uuid',
    scopes: oneOf('text[]', ALL_SCOPES),
    redirectUrl: 'text',
    state: 'text?',
    expiresAt: 'text',
  },
});

/** Of two at the same time, the second waits for the first, and then finds no row. */
const LOCK = statement({
  text: `
    SELECT app_id AS "appId" FROM install_requests
    WHERE store_id = $storeId AND id = $id AND expires_at > clock_timestamp() FOR UPDATE`,
  parameters: REQUEST,
  row: { appId: 'uuid' },
});

const TAKE = statement({
  text: `DELETE FROM install_requests WHERE store_id = $storeId AND id = $id AND ${isUnexpired('expires_at')}`,
  parameters: REQUEST,
});

/** Of a request that is locked, and was open then. */
const END = statement({
  text: 'DELETE FROM install_requests WHERE store_id = $storeId AND id = $id',
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

export const installRequests = (database: Database): InstallRequests => ({
  create: async (request) => {
    const [created] = await database.rows(CREATE, request);
    if (!created) throw new Error('An INSERT returned no row.');
    return created.expiresAt.toISOString();
  },
  get: async (storeId, id) => (await database.rows(GET, { storeId, id }))[0] ?? null,
  accept: (storeId, id, { installationId, scopes }) =>
    database.transaction(async (sql) => {
      const [open] = await sql.rows(LOCK, { storeId, id });
      if (!open) return null;
      const { appId } = open;
      const [app] = await sql.rows(SHARE_APP, { appId, scopes });
      if (!app) return 'not_asked';
      const [installed] = await sql.rows(INSTALL, { storeId, id: installationId, appId, name: app.name, scopes });
      if (!installed) throw new Error('An INSERT returned no row.');
      if (installed.id !== installationId) sql.enqueue(ADD_SCOPES, { storeId, id: installed.id, scopes });
      if (app.eventUrl !== null) sql.enqueue(ADD_EVENT_ADDRESS, { storeId, appId, url: app.eventUrl });
      sql.enqueue(END, { storeId, id });
      const [row] = await sql.rows(GET_INSTALLATION, { storeId, id: installed.id });
      return row ? installationOf(row) : null;
    }),
  refuse: async (storeId, id) => (await database.execute(TAKE, { storeId, id })) > 0,
  purge: (limit) => endOldest(database, PURGE, 0, limit),
});
