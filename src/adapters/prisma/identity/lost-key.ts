import type { SealedSecrets } from '../../storage/sealed-secrets.ts';
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

export const lostKey = (database: Database): Pick<SealedSecrets, 'useOf' | 'ownersOf' | 'forget'> => ({
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
