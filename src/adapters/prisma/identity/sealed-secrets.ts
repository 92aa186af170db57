import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';

export interface SealedSecret {
  readonly id: string;
  readonly context: string;
  readonly sealed: string;
}

export interface ResealedSecret {
  readonly id: string;
  /** What the row must still have. */
  readonly old: string;
  readonly sealed: string;
}

export interface SealedTable {
  /** The next rows behind the id that are sealed under another key, in the order of their ids. */
  otherThan(kid: string, after: string, limit: number): Promise<SealedSecret[]>;
  replace(secrets: readonly ResealedSecret[]): Promise<number>;
}

const PAGE = {
  parameters: { kid: 'text', after: 'uuid', limit: 'int8' },
  row: { id: 'uuid', context: 'uuid', sealed: 'text' },
} as const;
const CHANGES = { ids: 'uuid[]', olds: 'text[]', news: 'text[]' } as const;
const CHANGED = 'FROM unnest($ids::uuid[], $olds::text[], $news::text[]) AS n(id, old, sealed)';

const SIGNING_SECRETS = {
  page: statement({
    text: `
      SELECT id, installation_id AS context, sealed FROM signing_secrets
      WHERE id > $after AND split_part(sealed, '.', 2) <> $kid ORDER BY id LIMIT $limit`,
    ...PAGE,
  }),
  replace: statement({
    text: `UPDATE signing_secrets s SET sealed = n.sealed ${CHANGED} WHERE s.id = n.id AND s.sealed = n.old`,
    parameters: CHANGES,
  }),
};

const SUBSCRIPTIONS = {
  page: statement({
    text: `
      SELECT id, id AS context, signing_secret AS sealed FROM subscriptions
      WHERE id > $after AND split_part(signing_secret, '.', 2) <> $kid ORDER BY id LIMIT $limit`,
    parameters: PAGE.parameters,
    row: { ...PAGE.row, sealed: 'text!' },
  }),
  replace: statement({
    text: `UPDATE subscriptions s SET signing_secret = n.sealed ${CHANGED} WHERE s.id = n.id AND s.signing_secret = n.old`,
    parameters: CHANGES,
  }),
};

export interface SealedSample {
  readonly kid: string;
  readonly count: number;
  readonly samples: readonly Pick<SealedSecret, 'context' | 'sealed'>[];
}

/** What deliveries still need: not the secrets of an app that is gone, and not one that has expired. */
const IN_USE = `
  SELECT s.installation_id AS context, s.sealed FROM signing_secrets s JOIN installations i ON i.id = s.installation_id
  WHERE i.status <> 'Uninstalled' AND (s.expires_at IS NULL OR s.expires_at > now())
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

/** Some of the secrets in use under each key, but the peppers. */
export const sealedSamples = async (database: Database): Promise<SealedSample[]> =>
  (await database.rows(SAMPLES)).map(({ kid, count, contexts, sealed }) => ({
    kid,
    count: Number(count),
    samples: sealed.map((text, index) => ({ context: contexts[index] ?? '', sealed: text })),
  }));

const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The rows of a table that are sealed under another key, a batch at a time. No key is named ''. */
export async function* batchesOf(table: SealedTable, kid = ''): AsyncGenerator<readonly SealedSecret[]> {
  for (let after = FIRST; ;) {
    const batch = await table.otherThan(kid, after, BATCH);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last.id;
  }
}

const tableOf = (database: Database, { page, replace }: typeof SIGNING_SECRETS | typeof SUBSCRIPTIONS): SealedTable => ({
  otherThan: (kid, after, limit) => database.rows(page, { kid, after, limit }),
  replace: (secrets) =>
    database.execute(replace, {
      ids: secrets.map(({ id }) => id),
      olds: secrets.map(({ old }) => old),
      news: secrets.map(({ sealed }) => sealed),
    }),
});

/** Every table with sealed secrets but that of the peppers. */
export const sealedTables = (database: Database): SealedTable[] => [
  tableOf(database, SIGNING_SECRETS),
  tableOf(database, SUBSCRIPTIONS),
];
