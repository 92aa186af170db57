import { NO_STORE } from '../../../domain/ports/locator.ts';
import type { ResealedSecret, SealedSecrets, SealedTable } from '../../storage/sealed-secrets.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';
import { lostKey } from './lost-key.ts';

const PAGE = {
  parameters: { kid: 'text', storeId: 'uuid', id: 'uuid', limit: 'int8' },
  row: { storeId: 'uuid', id: 'uuid', context: 'uuid', sealed: 'text' },
} as const;
const next = (sealed: string): string => `
      WHERE (store_id, id) > ($storeId, $id) AND split_part(${sealed}, '.', 2) <> $kid ORDER BY store_id, id LIMIT $limit`;
const CHANGE = { storeId: 'uuid', id: 'uuid', old: 'text', sealed: 'text' } as const;

const SIGNING_SECRETS = {
  page: statement({
    text: `SELECT store_id AS "storeId", id, installation_id AS context, sealed FROM signing_secrets${next('sealed')}`,
    ...PAGE,
  }),
  replace: statement({
    text: 'UPDATE signing_secrets SET sealed = $sealed WHERE store_id = $storeId AND id = $id AND sealed = $old',
    parameters: CHANGE,
  }),
};

const SUBSCRIPTIONS = {
  page: statement({
    text: `
      SELECT store_id AS "storeId", id, id AS context, signing_secret AS sealed FROM subscriptions${next('signing_secret')}`,
    parameters: PAGE.parameters,
    row: { ...PAGE.row, sealed: 'text!' },
  }),
  replace: statement({
    text: `
      UPDATE subscriptions SET signing_secret = $sealed
      WHERE store_id = $storeId AND id = $id AND signing_secret = $old`,
    parameters: CHANGE,
  }),
};

/** Secrets of platform apps belong to no store. */
const PLATFORM_SIGNING_SECRETS = {
  page: statement({
    text: `
      SELECT $storeId::uuid AS "storeId", id, app_id AS context, sealed FROM platform_signing_secrets
      WHERE id > $id AND split_part(sealed, '.', 2) <> $kid ORDER BY id LIMIT $limit`,
    parameters: PAGE.parameters,
    row: { ...PAGE.row, storeId: 'uuid!' },
  }),
  replace: statement({
    text: `
      UPDATE platform_signing_secrets SET sealed = $sealed
      WHERE $storeId = '${NO_STORE}'::uuid AND id = $id AND sealed = $old`,
    parameters: CHANGE,
  }),
};

/** Secrets that deliveries still need: not the secrets of an app that is gone, and not one that has expired. */
const IN_USE = `
  SELECT s.installation_id AS context, s.sealed FROM signing_secrets s
  JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id
  WHERE i.status <> 'Uninstalled' AND (s.expires_at IS NULL OR s.expires_at > now())
  UNION ALL
  SELECT app_id, sealed FROM platform_signing_secrets WHERE expires_at IS NULL OR expires_at > now()
  UNION ALL
  SELECT id, signing_secret FROM subscriptions WHERE signing_secret IS NOT NULL`;

const SAMPLES = statement({
  text: `
    WITH kids AS (SELECT split_part(sealed, '.', 2) AS kid, count(*) AS count FROM (${IN_USE}) s GROUP BY 1)
    SELECT k.kid, k.count, s.contexts, s.sealed FROM kids k CROSS JOIN LATERAL (
      SELECT array_agg(context) AS contexts, array_agg(sealed) AS sealed FROM (
        SELECT context, sealed FROM (${IN_USE}) u WHERE split_part(sealed, '.', 2) = k.kid LIMIT 3) f) s`,
  row: { kid: 'text', count: 'int8', contexts: 'uuid[]', sealed: 'text[]' },
});

const LIST_PEPPERS = statement({
  text: `SELECT encode(id, 'hex') AS id, sealed FROM retired_peppers`,
  row: { id: 'text', sealed: 'text' },
});

const PUT_PEPPER = statement({
  text: `
    INSERT INTO retired_peppers (id, sealed) VALUES (decode($id, 'hex'), $sealed)
    ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed`,
  parameters: { id: 'text', sealed: 'text' },
});

const FIRST = { storeId: NO_STORE, id: NO_STORE };

const tableOf = (
  database: Database,
  { page, replace }: typeof SIGNING_SECRETS | typeof SUBSCRIPTIONS | typeof PLATFORM_SIGNING_SECRETS,
): SealedTable => ({
  otherThan: (kid, after, limit) => {
    const { storeId, id } = after ?? FIRST;
    return database.rows(page, { kid, storeId, id, limit });
  },
  replace: (secret: ResealedSecret) => database.execute(replace, secret),
});

export const sealedSecrets = (database: Database): SealedSecrets => ({
  tables: [tableOf(database, SIGNING_SECRETS), tableOf(database, SUBSCRIPTIONS), tableOf(database, PLATFORM_SIGNING_SECRETS)],
  samples: async () =>
    (await database.rows(SAMPLES)).map(({ kid, count, contexts, sealed }) => ({
      kid,
      count: Number(count),
      samples: sealed.map((text, index) => ({ context: contexts[index] ?? '', sealed: text })),
    })),
  ...lostKey(database),
  peppers: {
    list: () => database.rows(LIST_PEPPERS),
    put: async ({ id, sealed }) => {
      await database.execute(PUT_PEPPER, { id, sealed });
    },
  },
});
