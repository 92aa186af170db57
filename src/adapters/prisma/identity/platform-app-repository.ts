import { PLATFORM_APP_STATUSES } from '../../../domain/identity/platform-app.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { placedPageOf } from '../../../domain/page.ts';
import type { PlatformAppRepository } from '../../../domain/ports/identity/platform-app-repository.ts';
import type { Database } from '../connection/database.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { isBehind, PAGE_PARAMETERS, pageOf, pageValues } from '../connection/list-page.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { installationOf } from './installation-repository.ts';
import { COLUMNS as INSTALLATION, FIELDS_OF_APP } from './installation-statements.ts';
import {
  ADD_PLATFORM_CLIENT_SECRET,
  ADD_PLATFORM_SIGNING_SECRET,
  rotatePlatformClientSecret,
  rotatePlatformSigningSecret,
} from './secret-rotation.ts';

const previousEnd = (table: string): string =>
  `iso((SELECT max(o.expires_at) FROM ${table} o WHERE o.app_id = platform_apps.id AND o.expires_at > clock_timestamp()))`;

const FIELDS = `id, name, client_id AS "clientId", redirect_urls AS "redirectUrls", scopes, optional_scopes AS "optionalScopes", status,
  iso(created_at) AS "createdAt", iso(updated_at) AS "updatedAt", ${previousEnd('platform_client_secrets')} AS "previousClientSecretExpiresAt",
  ${previousEnd('platform_signing_secrets')} AS "previousSigningSecretExpiresAt"`;

const ROW = {
  id: 'uuid',
  name: 'text',
  clientId: 'text',
  redirectUrls: 'text[]',
  scopes: oneOf('text[]', ALL_SCOPES),
  optionalScopes: oneOf('text[]', ALL_SCOPES),
  status: oneOf('text', PLATFORM_APP_STATUSES),
  createdAt: 'text',
  updatedAt: 'text?',
  previousClientSecretExpiresAt: 'text?',
  previousSigningSecretExpiresAt: 'text?',
} as const;
const ID = { id: 'uuid' } as const;

const CREATE = statement({
  text: `
    INSERT INTO platform_apps (id, name, client_id, redirect_urls, scopes, optional_scopes)
    VALUES ($id, $name, $clientId, $redirectUrls, $scopes, $optionalScopes) RETURNING ${FIELDS}`,
  parameters: {
    ...ID,
    name: 'text',
    clientId: 'text',
    redirectUrls: 'text[]',
    scopes: 'text[]',
    optionalScopes: 'text[]',
  },
  row: ROW,
});

const GET = statement({ text: `SELECT ${FIELDS} FROM platform_apps WHERE id = $id`, parameters: ID, row: ROW });

const BY_CLIENT_ID = statement({
  text: `SELECT ${FIELDS} FROM platform_apps WHERE client_id = $clientId`,
  parameters: { clientId: 'text' },
  row: ROW,
});

const LIST = statement({
  text: `SELECT ${FIELDS} FROM platform_apps WHERE ${isBehind('platform_apps')} ${pageOf('platform_apps')}`,
  parameters: PAGE_PARAMETERS,
  row: ROW,
});

const COUNT = statement({ text: 'SELECT count(*)::int AS total FROM platform_apps', row: { total: 'int4' } });

/** A token that is issued after a resumption has a later time: none is issued before it. */
const UPDATE = statement({
  text: `
    UPDATE platform_apps SET name = coalesce($name, name), redirect_urls = coalesce($redirectUrls, redirect_urls),
      scopes = coalesce($scopes, scopes), optional_scopes = ARRAY(
        SELECT scope FROM unnest(coalesce($optionalScopes, optional_scopes)) WITH ORDINALITY optional (scope, place)
        WHERE scope <> ALL (coalesce($scopes, scopes)) ORDER BY place),
      status = coalesce($status, status),
      active_since = CASE WHEN status = 'Suspended' AND $status = 'Active' THEN date_trunc('milliseconds', clock_timestamp()) ELSE active_since END,
      updated_at = now()
    WHERE id = $id RETURNING ${FIELDS}`,
  parameters: { ...ID, name: 'text?', redirectUrls: 'text[]?', scopes: 'text[]?', optionalScopes: 'text[]?', status: 'text?' },
  row: ROW,
});

const RENAME_INSTALLATIONS = statement({
  text: `UPDATE installations SET name = $name WHERE app_id = $id AND name <> $name`,
  parameters: { ...ID, name: 'text' },
});

const INSTALLATIONS = statement({
  text: `SELECT ${FIELDS_OF_APP} FROM installations WHERE app_id = $id AND ${isBehind('installations')} ${pageOf('installations')}`,
  parameters: { ...ID, ...PAGE_PARAMETERS },
  row: INSTALLATION,
});

/** No row without the app. */
const COUNT_INSTALLATIONS = statement({
  text: 'SELECT (SELECT count(*)::int FROM installations WHERE app_id = $id) AS total FROM platform_apps WHERE id = $id',
  parameters: ID,
  row: { total: 'int4' },
});

const ON_STORE = statement({
  text: `SELECT ${FIELDS_OF_APP} FROM installations WHERE store_id = $storeId AND app_id = $id AND status <> 'Uninstalled'`,
  parameters: { ...ID, storeId: 'uuid' },
  row: INSTALLATION,
});

const BEYOND_MANIFEST = statement({
  text: `
    SELECT ${FIELDS_OF_APP} FROM installations WHERE app_id = $id AND status <> 'Uninstalled'
      AND NOT scopes <@ ARRAY(
        SELECT unnest(ARRAY[scope, regexp_replace(scope, '^write_', 'read_')])
        FROM platform_apps a, unnest(a.scopes || a.optional_scopes) scope WHERE a.id = $id)
    ORDER BY created_at, id LIMIT $limit`,
  parameters: { ...ID, limit: 'int8' },
  row: INSTALLATION,
});

export const platformAppRepository = (database: Database): PlatformAppRepository => ({
  create: ({ clientSecret, signingSecret, ...app }) =>
    database.transaction(async (sql) => {
      const [created] = await sql.rows(CREATE, app);
      if (!created) throw new Error('An INSERT returned no row.');
      const { id } = app;
      await sql.execute(ADD_PLATFORM_CLIENT_SECRET, { id, secretId: clientSecret.id, hash: bytesOfHex(clientSecret.hash) });
      await sql.execute(ADD_PLATFORM_SIGNING_SECRET, { id, secretId: signingSecret.id, sealed: signingSecret.sealed });
      return created;
    }),
  get: async (id) => (await database.rows(GET, { id }))[0] ?? null,
  byClientId: async (clientId) => (await database.rows(BY_CLIENT_ID, { clientId }))[0] ?? null,
  list: async (page) => {
    const [rows, [count]] = await Promise.all([database.rows(LIST, pageValues(page)), database.rows(COUNT)]);
    return placedPageOf(rows, page, count?.total ?? 0);
  },
  update: (id, { name, redirectUrls, scopes, optionalScopes, status }) =>
    database.transaction(async (sql) => {
      const changed = { name: name ?? null, redirectUrls: redirectUrls ?? null, status: status ?? null };
      const asked = { scopes: scopes ?? null, optionalScopes: optionalScopes ?? null };
      const [updated] = await sql.rows(UPDATE, { id, ...changed, ...asked });
      if (updated && name !== undefined) await sql.execute(RENAME_INSTALLATIONS, { id, name });
      return updated ?? null;
    }),
  rotateClientSecret: (id, secret, overlapSeconds) =>
    rotatePlatformClientSecret(database, id, { id: secret.id, hash: bytesOfHex(secret.hash) }, overlapSeconds),
  rotateSigningSecret: (id, secret, overlapSeconds) => rotatePlatformSigningSecret(database, id, secret, overlapSeconds),
  installations: async (id, page) => {
    const [[count], rows] = await Promise.all([
      database.rows(COUNT_INSTALLATIONS, { id }),
      database.rows(INSTALLATIONS, { id, ...pageValues(page) }),
    ]);
    return count ? placedPageOf(rows.map(installationOf), page, count.total) : null;
  },
  onStore: async (id, storeId) => (await database.rows(ON_STORE, { id, storeId })).map(installationOf)[0] ?? null,
  beyondManifest: async (id, limit) => (await database.rows(BEYOND_MANIFEST, { id, limit })).map(installationOf),
});
