import { MAX_PREVIEWED, type UninstallPreview } from '../../../domain/ports/identity/installation-repository.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../connection/statement.ts';
import { sendableRows } from '../webhooks/queue/queue-row.ts';

/** Reads one row more than is counted, to see whether there are more. `rows` is SQL. */
const counted = (rows: string): string => `(SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT $limit) AS counted)`;

/** Each table is read by an index that begins with the owner, and for at most `limit` rows. */
const PREVIEW = statement({
  text: `
    SELECT ${counted(`subscriptions s CROSS JOIN LATERAL (${sendableRows('$storeId', 's.id', '$limit')}) q WHERE s.store_id = $storeId AND s.installation_id = i.id`)} AS deliveries,
      ${counted('subscriptions WHERE store_id = $storeId AND installation_id = i.id')} AS subscriptions,
      ${counted('access_tokens WHERE store_id = $storeId AND installation_id = i.id AND expires_at > clock_timestamp()')} AS tokens,
      ${counted('media_imports WHERE store_id = $storeId AND installation_id = i.id AND ended_at IS NULL')} AS "mediaImports"
    FROM installations i WHERE i.store_id = $storeId AND i.id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid', limit: 'int8' },
  row: { deliveries: 'int4', subscriptions: 'int4', tokens: 'int4', mediaImports: 'int4' },
});

/** Counts what an uninstall would end now. Null when the installation does not exist. */
export const previewUninstall = async (database: Database, storeId: string, id: string): Promise<UninstallPreview | null> => {
  const [row] = await database.rows(PREVIEW, { storeId, id, limit: MAX_PREVIEWED + 1 });
  if (!row) return null;
  const bounded = (count: number): number => Math.min(count, MAX_PREVIEWED);
  const { deliveries, subscriptions, tokens, mediaImports } = row;
  return {
    deliveries: bounded(deliveries),
    subscriptions: bounded(subscriptions),
    tokens: bounded(tokens),
    mediaImports: bounded(mediaImports),
    isComplete: [deliveries, subscriptions, tokens, mediaImports].every((count) => count <= MAX_PREVIEWED),
  };
};
