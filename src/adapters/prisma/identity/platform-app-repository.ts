import { PLATFORM_APP_STATUSES } from '../../../domain/identity/platform-app.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { placedPageOf } from '../../../domain/page.ts';
import type { PlatformAppChanges, PlatformAppRepository } from '../../../domain/ports/identity/platform-app-repository.ts';
import type { Database } from '../connection/database.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { isBehind, PAGE_PARAMETERS, pageClause, pageValues } from '../connection/list-page.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import type { AnnounceStop } from '../work/stop-work.ts';
import { inactiveEventAddresses, moveEventAddresses, removeEventAddresses } from './event-addresses.ts';
import { installationOf } from './installation-repository.ts';
import { INSTALLATION_COLUMNS as INSTALLATION, FIELDS_OF_APP } from './installation-statements.ts';
import {
  ADD_PLATFORM_CLIENT_SECRET,
  ADD_PLATFORM_SIGNING_SECRET,
  LOCK_APP,
  purgePlatformSigningSecrets,
  replacePlatformClientSecret,
  replacePlatformSigningSecret,
} from './secret-rotation.ts';
import { readWatchedInstallations } from './watched-installations.ts';

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

const CREATE_PLATFORM_APP = statement({
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

const GET_PLATFORM_APP = statement({
  text: `SELECT ${FIELDS} FROM platform_apps WHERE id = $id`,
  parameters: ID,
  row: ROW,
});

const BY_CLIENT_ID = statement({
  text: `SELECT ${FIELDS} FROM platform_apps WHERE client_id = $clientId`,
  parameters: { clientId: 'text' },
  row: ROW,
});

/** In one statement: an unknown client id takes no other way than a known one. */
const SECRETS = statement({
  text: `
    SELECT ${FIELDS}, ARRAY(SELECT encode(c.hash, 'hex') FROM platform_client_secrets c
        WHERE c.app_id = platform_apps.id AND (c.expires_at IS NULL OR c.expires_at > clock_timestamp())) AS "secretHashes"
    FROM platform_apps WHERE client_id = $clientId`,
  parameters: { clientId: 'text' },
  row: { ...ROW, secretHashes: 'text[]' },
});

const LIST_PLATFORM_APPS = statement({
  text: `SELECT ${FIELDS} FROM platform_apps WHERE ${isBehind('platform_apps')} ${pageClause('platform_apps')}`,
  parameters: PAGE_PARAMETERS,
  row: ROW,
});

const COUNT_PLATFORM_APPS = statement({
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
const UPDATE_PLATFORM_APP = statement({
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

const PASS_RESUMPTION = statement({ text: `SELECT FROM pg_sleep(0.001 * ${UNROUNDED_MS})` });

const RENAME_INSTALLATIONS = statement({
  text: `UPDATE installations SET name = $name WHERE app_id = $id AND name <> $name`,
  parameters: { ...ID, name: 'text' },
});

const INSTALLATIONS = statement({
  text: `SELECT ${FIELDS_OF_APP} FROM installations WHERE app_id = $id AND ${isBehind('installations')} ${pageClause('installations')}`,
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

/** Null keeps what is there. Where `addresses` is true, it takes the event address away. */
const valuesOf = ({ name, redirectUrls, scopes, optionalScopes, eventUrl, status }: PlatformAppChanges) => ({
  name: name ?? null,
  redirectUrls: redirectUrls ?? null,
  scopes: scopes ?? null,
  optionalScopes: optionalScopes ?? null,
  status: status ?? null,
  addresses: eventUrl !== undefined,
  eventUrl: eventUrl ?? null,
});

export const platformAppRepository = (database: Database, announce?: AnnounceStop): PlatformAppRepository => ({
  create: ({ clientSecret, signingSecret, ...app }) =>
    database.transaction(async (sql) => {
      const { id } = app;
      sql.enqueue(CREATE_PLATFORM_APP, app);
      sql.enqueue(ADD_PLATFORM_CLIENT_SECRET, { id, secretId: clientSecret.id, hash: bytesOfHex(clientSecret.hash) });
      sql.enqueue(ADD_PLATFORM_SIGNING_SECRET, { id, secretId: signingSecret.id, sealed: signingSecret.sealed });
      const [created] = await sql.rows(GET_PLATFORM_APP, { id });
      if (!created) throw new Error('An INSERT wrote no row.');
      return created;
    }),
  get: async (id) => (await database.rows(GET_PLATFORM_APP, { id }))[0] ?? null,
  byClientId: async (clientId) => (await database.rows(BY_CLIENT_ID, { clientId }))[0] ?? null,
  secrets: async (clientId) => {
    const [row] = await database.rows(SECRETS, { clientId });
    if (!row) return null;
    const { secretHashes, ...app } = row;
    return { app, secretHashes };
  },
  list: async (page) => {
    const [rows, [count]] = await Promise.all([
      database.rows(LIST_PLATFORM_APPS, pageValues(page)),
      database.rows(COUNT_PLATFORM_APPS),
    ]);
    return placedPageOf(rows, page, count?.total ?? 0);
  },
  update: async (id, changes) => {
    const { name, eventUrl, status } = changes;
    const updated = await database.transaction(async (sql) => {
      sql.enqueue(LOCK_APP, { id });
      sql.enqueue(UPDATE_PLATFORM_APP, { id, ...valuesOf(changes) });
      if (status === 'Active') sql.enqueue(PASS_RESUMPTION);
      const [row] = await sql.rows(GET_PLATFORM_APP, { id });
      if (row && name !== undefined) await sql.execute(RENAME_INSTALLATIONS, { id, name });
      if (row && eventUrl != null) await moveEventAddresses(sql, id, eventUrl);
      return row ?? null;
    });
    if (updated && eventUrl === null) await removeEventAddresses(database, id, announce);
    return updated;
  },
  watch: (id, page, filter) => readWatchedInstallations(database, id, page, filter),
  deactivatedAddresses: (id) => inactiveEventAddresses(database, id),
  rotateClientSecret: (id, secret, overlapSeconds) =>
    replacePlatformClientSecret(database, id, { id: secret.id, hash: bytesOfHex(secret.hash) }, overlapSeconds),
  rotateSigningSecret: (id, secret, overlapSeconds) => replacePlatformSigningSecret(database, id, secret, overlapSeconds),
  purgeSigningSecrets: (limit) => purgePlatformSigningSecrets(database, limit),
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
