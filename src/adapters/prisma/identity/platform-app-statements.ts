import { PLATFORM_APP_STATUSES } from '../../../domain/identity/platform-app.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { isBehind, PAGE_PARAMETERS, pageClause } from '../connection/list-page.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { INSTALLATION_COLUMNS as INSTALLATION, FIELDS_OF_APP } from './installation-statements.ts';

const previousEnd = (table: string): string =>
  `iso((SELECT max(o.expires_at) FROM ${table} o WHERE o.app_id = platform_apps.id AND o.expires_at > clock_timestamp()))`;

const FIELDS = `id, name, client_id AS "clientId", redirect_urls AS "redirectUrls", scopes, optional_scopes AS "optionalScopes", event_url AS "eventUrl", status,
  iso(created_at) AS "createdAt", iso(updated_at) AS "updatedAt", ${previousEnd('platform_client_secrets')} AS "previousClientSecretExpiresAt",
  ${previousEnd('platform_signing_secrets')} AS "previousSigningSecretExpiresAt"`;

const ROW = {
  id: 'uuid',
  name: 'text',
  clientId: 'text',
  redirectUrls: 'text[]',
  scopes: oneOf('text[]', ALL_SCOPES),
  optionalScopes: oneOf('text[]', ALL_SCOPES),
  eventUrl: 'text?',
  status: oneOf('text', PLATFORM_APP_STATUSES),
  createdAt: 'text',
  updatedAt: 'text?',
  previousClientSecretExpiresAt: 'text?',
  previousSigningSecretExpiresAt: 'text?',
} as const;
const ID = { id: 'uuid' } as const;

export const CREATE_PLATFORM_APP = statement({
  text: `
    INSERT INTO platform_apps (id, name, client_id, redirect_urls, scopes, optional_scopes, event_url)
    VALUES ($id, $name, $clientId, $redirectUrls, $scopes, $optionalScopes, $eventUrl)`,
  parameters: {
    ...ID,
    name: 'text',
    clientId: 'text',
    redirectUrls: 'text[]',
    scopes: 'text[]',
    optionalScopes: 'text[]',
    eventUrl: 'text?',
  },
});

export const GET_PLATFORM_APP = statement({
  text: `SELECT ${FIELDS} FROM platform_apps WHERE id = $id`,
  parameters: ID,
  row: ROW,
});

export const BY_CLIENT_ID = statement({
  text: `SELECT ${FIELDS} FROM platform_apps WHERE client_id = $clientId`,
  parameters: { clientId: 'text' },
  row: ROW,
});

/** In one statement: an unknown client id takes no other way than a known one. */
export const SECRETS = statement({
  text: `
    SELECT ${FIELDS}, ARRAY(SELECT encode(c.hash, 'hex') FROM platform_client_secrets c
        WHERE c.app_id = platform_apps.id AND (c.expires_at IS NULL OR c.expires_at > clock_timestamp())) AS "secretHashes"
    FROM platform_apps WHERE client_id = $clientId`,
  parameters: { clientId: 'text' },
  row: { ...ROW, secretHashes: 'text[]' },
});

export const LIST_PLATFORM_APPS = statement({
  text: `SELECT ${FIELDS} FROM platform_apps WHERE ${isBehind('platform_apps')} ${pageClause('platform_apps')}`,
  parameters: PAGE_PARAMETERS,
  row: ROW,
});

export const COUNT_PLATFORM_APPS = statement({
  text: 'SELECT count(*)::int AS total FROM platform_apps',
  row: { total: 'int4' },
});

/** Tokens have the nearest whole millisecond as their time, which may lie half of one after they were issued. */
const UNROUNDED_MS = 2;

/**
 * Updates a locked app. So a token that was issued before a suspension has an earlier time than the
 * resumption. Where the app resumes, PASS_RESUMPTION has to follow, so that one that is issued
 * after the resumption has no earlier time.
 */
export const UPDATE_PLATFORM_APP = statement({
  text: `
    UPDATE platform_apps SET name = coalesce($name, name), redirect_urls = coalesce($redirectUrls, redirect_urls),
      scopes = coalesce($scopes, scopes), optional_scopes = ARRAY(
        SELECT scope FROM unnest(coalesce($optionalScopes, optional_scopes)) WITH ORDINALITY optional (scope, place)
        WHERE scope <> ALL (coalesce($scopes, scopes)) ORDER BY place),
      event_url = CASE WHEN $addresses THEN $eventUrl ELSE event_url END, status = coalesce($status, status),
      active_since = CASE WHEN status = 'Suspended' AND $status = 'Active' THEN present.time ELSE active_since END,
      updated_at = now()
    FROM (SELECT now_ms() + interval '${UNROUNDED_MS} ms' AS time) present WHERE id = $id`,
  parameters: {
    ...ID,
    name: 'text?',
    redirectUrls: 'text[]?',
    scopes: 'text[]?',
    optionalScopes: 'text[]?',
    addresses: 'bool',
    eventUrl: 'text?',
    status: 'text?',
  },
});

export const PASS_RESUMPTION = statement({ text: `SELECT FROM pg_sleep(0.001 * ${UNROUNDED_MS})` });

export const RENAME_INSTALLATIONS = statement({
  text: `UPDATE installations SET name = $name WHERE app_id = $id AND name <> $name`,
  parameters: { ...ID, name: 'text' },
});

export const INSTALLATIONS = statement({
  text: `SELECT ${FIELDS_OF_APP} FROM installations WHERE app_id = $id AND ${isBehind('installations')} ${pageClause('installations')}`,
  parameters: { ...ID, ...PAGE_PARAMETERS },
  row: INSTALLATION,
});

/** No row without the app. */
export const COUNT_INSTALLATIONS = statement({
  text: 'SELECT (SELECT count(*)::int FROM installations WHERE app_id = $id) AS total FROM platform_apps WHERE id = $id',
  parameters: ID,
  row: { total: 'int4' },
});

export const ON_STORE = statement({
  text: `SELECT ${FIELDS_OF_APP} FROM installations WHERE store_id = $storeId AND app_id = $id AND status <> 'Uninstalled'`,
  parameters: { ...ID, storeId: 'uuid' },
  row: INSTALLATION,
});

export const BEYOND_MANIFEST = statement({
  text: `
    SELECT ${FIELDS_OF_APP} FROM installations WHERE app_id = $id AND status <> 'Uninstalled'
      AND NOT scopes <@ ARRAY(
        SELECT unnest(ARRAY[scope, regexp_replace(scope, '^write_', 'read_')])
        FROM platform_apps a, unnest(a.scopes || a.optional_scopes) scope WHERE a.id = $id)
    ORDER BY created_at, id LIMIT $limit`,
  parameters: { ...ID, limit: 'int8' },
  row: INSTALLATION,
});
