import { INSTALLATION_STATUSES } from '../../../domain/identity/installation.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { STORE_STATUSES } from '../../../domain/identity/store.ts';
import { hasTextOrId, isBehind, PAGE_PARAMETERS, pageClause } from '../connection/list-page.ts';
import { oneOf, type RowOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { statusOf } from '../work/installation-status.ts';

const STORE = { storeId: 'uuid' } as const;
const INSTALLATION = { ...STORE, id: 'uuid' } as const;

/** When the last of the older secrets ends. An app that is gone has no use for them. `owned` is SQL on the table `o` of its secrets. */
const previousEnd = (table: string, owned: string): string => `CASE WHEN status <> 'Uninstalled' THEN (
  SELECT max(o.expires_at) FROM ${table} o WHERE ${owned} AND o.expires_at > clock_timestamp()) END`;

/** `secret` is SQL for the end of the older secrets of a kind. */
const fieldsWith = (secret: (kind: 'client' | 'signing') => string): string => `id, store_id AS "storeId", name,
  coalesce((SELECT a.client_id FROM platform_apps a WHERE a.id = installations.app_id), client_id) AS "clientId", app_id AS "platformAppId",
  scopes, ${statusOf('installations')} AS status, created_at AS "createdAt", updated_at AS "updatedAt", uninstalled_at AS "uninstalledAt",
  ${secret('client')} AS "previousClientSecretExpiresAt", ${secret('signing')} AS "previousSigningSecretExpiresAt"`;

/** The ends of older secrets: of an app of many stores, its installations show none. */
const FIELDS = fieldsWith((kind) =>
  previousEnd(`${kind}_secrets`, 'o.store_id = $storeId AND o.installation_id = installations.id'),
);
/** Fields of one app's installations on all stores. */
export const FIELDS_OF_APP = fieldsWith(() => 'NULL::timestamptz');

export const INSTALLATION_COLUMNS = {
  ...INSTALLATION,
  name: 'text',
  clientId: 'text',
  platformAppId: 'uuid?',
  scopes: oneOf('text[]!', ALL_SCOPES),
  status: oneOf('text', INSTALLATION_STATUSES),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz?',
  uninstalledAt: 'timestamptz?',
  previousClientSecretExpiresAt: 'timestamptz?',
  previousSigningSecretExpiresAt: 'timestamptz?',
} as const;

export type InstallationRow = RowOf<typeof INSTALLATION_COLUMNS>;

export const GET_INSTALLATION = statement({
  text: `SELECT ${FIELDS} FROM installations WHERE store_id = $storeId AND id = $id`,
  parameters: INSTALLATION,
  row: INSTALLATION_COLUMNS,
});

const MATCHING = `installations WHERE store_id = $storeId AND ($statuses::text[] IS NULL OR ${statusOf('installations')} = ANY ($statuses)) AND ($ids::uuid[] IS NULL OR id = ANY ($ids))
  AND ${hasTextOrId(['name'], ['client_id', 'id::text'])}`;
const FILTER = { ...STORE, q: 'text?', statuses: 'text[]?', ids: 'uuid[]?' } as const;

export const LIST_INSTALLATIONS = statement({
  text: `SELECT ${FIELDS} FROM ${MATCHING} AND ${isBehind('installations')} ${pageClause('installations')}`,
  parameters: { ...FILTER, ...PAGE_PARAMETERS },
  row: INSTALLATION_COLUMNS,
});

/** Number of matching installations. No row without the store. */
export const COUNT_STORE_INSTALLATIONS = statement({
  text: `SELECT (SELECT count(*)::int FROM ${MATCHING}) AS n FROM stores WHERE id = $storeId`,
  parameters: FILTER,
  row: { n: 'int4' },
});

/** An app of many stores gets more scopes by consent alone (install-requests.ts). This is commonScopes, of what the row has by now. */
const COMMON_SCOPES = `
  SELECT scope COLLATE "C" AS scope FROM unnest($scopes::text[]) scope
  WHERE ARRAY[scope, regexp_replace(scope, '^read_', 'write_')] && scopes
  UNION SELECT regexp_replace(scope, '^write_', 'read_') COLLATE "C" FROM unnest($scopes::text[]) scope
  WHERE scope <> ALL (scopes) AND regexp_replace(scope, '^write_', 'read_') = ANY (scopes)
  ORDER BY scope`;

export const UPDATE_INSTALLATION = statement({
  text: `
    UPDATE installations SET name = coalesce($name, name), status = coalesce($status, status),
      scopes = CASE WHEN $scopes::text[] IS NULL THEN scopes WHEN app_id IS NULL THEN $scopes
        ELSE ARRAY(${COMMON_SCOPES}) END,
      updated_at = now() WHERE store_id = $storeId AND id = $id`,
  parameters: { ...INSTALLATION, name: 'text?', scopes: 'text[]?', status: 'text?' },
});

/**
 * Records of an installation name the store, whose row is locked before the installation and its
 * tokens (catalogue-lock.ts).
 */
export const SHARE_STORE = statement({
  text: 'SELECT FROM stores WHERE id = $storeId FOR KEY SHARE',
  parameters: STORE,
});

/** An uninstall and an erasure change the row, so they wait. */
export const SHARE = statement({
  text: "SELECT FROM installations WHERE store_id = $storeId AND id = $id AND status <> 'Uninstalled' FOR SHARE",
  parameters: INSTALLATION,
});

export const END_INSTALLATION = statement({
  text: `
    UPDATE installations SET status = 'Uninstalled', uninstalled_at = now(), updated_at = now()
    WHERE store_id = $storeId AND id = $id`,
  parameters: INSTALLATION,
});

export const REVOKE_TOKENS = statement({
  text: `UPDATE access_tokens SET expires_at = '-infinity' WHERE (store_id, installation_id) = ($storeId, $id)`,
  parameters: INSTALLATION,
});

export const DELETE_SUBSCRIPTIONS = statement({
  text: 'DELETE FROM subscriptions WHERE store_id = $storeId AND installation_id = $id',
  parameters: INSTALLATION,
});

export const SIGNING_SECRETS = statement({
  text: `
    SELECT sealed FROM signing_secrets
    WHERE store_id = $storeId AND installation_id = $id AND (expires_at IS NULL OR expires_at > clock_timestamp())
    ORDER BY expires_at DESC NULLS FIRST, created_at DESC, id DESC`,
  parameters: INSTALLATION,
  row: { sealed: 'text' },
});

/** `secrets` is SQL on the table `c` of the client's secrets. */
const credentials = (status: string, secrets: string, installed: string) =>
  ({
    text: `
    SELECT s.id AS "storeId", i.id AS "installationId", i.app_id AS "platformAppId", i.scopes, ${status} AS status, s.status AS "storeStatus",
      ARRAY(SELECT encode(c.hash, 'hex') FROM ${secrets}
              AND (c.expires_at IS NULL OR c.expires_at > clock_timestamp())) AS "secretHashes"
    FROM stores s JOIN ${installed}
    WHERE s.id = $storeId AND s.domain = $domain`,
    parameters: { ...STORE, domain: 'text', clientId: 'text' },
    row: {
      ...STORE,
      installationId: 'uuid',
      platformAppId: 'uuid?',
      scopes: oneOf('text[]!', ALL_SCOPES),
      status: oneOf('text', INSTALLATION_STATUSES),
      storeStatus: oneOf('text', STORE_STATUSES),
      secretHashes: 'text[]',
    },
  }) as const;

export const CREDENTIALS = statement(
  credentials(
    'i.status',
    'client_secrets c WHERE c.store_id = $storeId AND c.installation_id = i.id',
    'installations i ON i.store_id = s.id AND i.client_id = $clientId',
  ),
);

/** Credentials of a platform app. It is installed on a store once at a time. */
export const CREDENTIALS_OF_MANY = statement(
  credentials(
    statusOf('i'),
    'platform_client_secrets c WHERE c.app_id = a.id',
    "platform_apps a ON a.client_id = $clientId JOIN installations i ON i.store_id = s.id AND i.app_id = a.id AND i.status <> 'Uninstalled'",
  ),
);
