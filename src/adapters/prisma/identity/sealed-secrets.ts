import { NO_STORE } from '../../../domain/ports/locator.ts';
import type { SealedSecrets, ResealedSecret, SealedTable } from '../../storage/sealed-secrets.ts';
import type { Database } from '../connection/database.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

const KID = { kid: 'text' } as const;
const isUnder = (sealed: string): string => `split_part(${sealed}, '.', 2) = $kid`;

const USE = statement({
  text: `
    SELECT use, count(*)::int AS count FROM (
      SELECT CASE WHEN s.expires_at <= now() THEN 'Expired' WHEN i.status = 'Uninstalled' THEN 'Uninstalled' ELSE 'Needed' END AS use
      FROM signing_secrets s JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id
      WHERE ${isUnder('s.sealed')}
      UNION ALL
      SELECT CASE WHEN expires_at <= now() THEN 'Expired' ELSE 'Needed' END FROM platform_signing_secrets WHERE ${isUnder('sealed')}
      UNION ALL
      SELECT 'Needed' FROM subscriptions WHERE ${isUnder('signing_secret')}) u
    GROUP BY 1`,
  parameters: KID,
  row: { use: oneOf('text', ['Expired', 'Uninstalled', 'Needed']), count: 'int4' },
});

const OWNERS = statement({
  text: `
    SELECT kind, id, name, domain FROM (
      SELECT 'app' AS kind, i.id, i.name, st.domain FROM signing_secrets s
      JOIN installations i ON i.store_id = s.store_id AND i.id = s.installation_id
      JOIN stores st ON st.id = s.store_id
      WHERE ${isUnder('s.sealed')} AND i.status <> 'Uninstalled' AND (s.expires_at IS NULL OR s.expires_at > now())
      UNION
      SELECT 'platform app', a.id, a.name, NULL FROM platform_signing_secrets s JOIN platform_apps a ON a.id = s.app_id
      WHERE ${isUnder('s.sealed')} AND (s.expires_at IS NULL OR s.expires_at > now())
      UNION
      SELECT 'subscription', b.id, b.url, st.domain FROM subscriptions b JOIN stores st ON st.id = b.store_id
      WHERE ${isUnder('b.signing_secret')}) o
    ORDER BY kind, domain, name, id LIMIT $limit`,
  parameters: { ...KID, limit: 'int8' },
  row: { kind: oneOf('text', ['app', 'platform app', 'subscription']), id: 'uuid', name: 'text', domain: 'text?' },
});

const FORGET = {
  expired: statement({ text: `DELETE FROM signing_secrets WHERE ${isUnder('sealed')} AND expires_at <= now()`, parameters: KID }),
  expiredOfApps: statement({
    text: `DELETE FROM platform_signing_secrets WHERE ${isUnder('sealed')} AND expires_at <= now()`,
    parameters: KID,
  }),
  ofUninstalled: statement({
    text: `
      DELETE FROM signing_secrets s USING installations i
      WHERE i.store_id = s.store_id AND i.id = s.installation_id AND i.status = 'Uninstalled' AND ${isUnder('s.sealed')}`,
    parameters: KID,
  }),
  peppers: statement({ text: `DELETE FROM retired_peppers WHERE ${isUnder('sealed')}`, parameters: KID }),
};

/** A table of the coordinator alone. */
const PEPPERS = statement({
  text: `SELECT count(*)::int AS count FROM retired_peppers WHERE ${isUnder('sealed')}`,
  parameters: KID,
  row: { count: 'int4' },
});

const lostKey = (database: Database): Pick<SealedSecrets, 'useOf' | 'ownersOf' | 'forget'> => ({
  useOf: async (kid) => {
    const counts = new Map((await database.rows(USE, { kid })).map(({ use, count }) => [use, count]));
    const [peppers] = await database.rows(PEPPERS, { kid });
    return {
      needed: counts.get('Needed') ?? 0,
      unneeded: {
        expiredSigningSecrets: counts.get('Expired') ?? 0,
        signingSecretsOfUninstalledApps: counts.get('Uninstalled') ?? 0,
        peppers: peppers?.count ?? 0,
      },
    };
  },
  ownersOf: (kid, limit) => database.rows(OWNERS, { kid, limit }),
  forget: async (kid) => ({
    expiredSigningSecrets:
      (await database.execute(FORGET.expired, { kid })) + (await database.execute(FORGET.expiredOfApps, { kid })),
    signingSecretsOfUninstalledApps: await database.execute(FORGET.ofUninstalled, { kid }),
    peppers: await database.execute(FORGET.peppers, { kid }),
  }),
});

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
