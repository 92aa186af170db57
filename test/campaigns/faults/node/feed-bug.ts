import pg from 'pg';

import type { Ports } from '../../../../src/domain/ports/index.ts';
import { placeAt } from '../../../../src/domain/webhooks/feed-place.ts';

const READ = `
  SELECT body, extract(epoch FROM created_at)::float * 1000 AS at FROM events
  WHERE store_id = $1 AND type = ANY ($2) AND created_at > to_timestamp($3::float / 1000)
  ORDER BY created_at, id LIMIT $4`;

/** The feed goes by the time of the write, as if no write committed later than a younger one. */
export const feedByTime = (ports: Ports, databaseUrl: string): Ports => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => undefined);
  return {
    ...ports,
    eventFeed: {
      ...ports.eventFeed,
      read: async ({ storeId, types, after, take }) => {
        const from = after?.position ?? 0;
        const { rows } = await pool.query<{ body: string; at: number }>(READ, [storeId, types, from, take]);
        const next = Math.round(rows.at(-1)?.at ?? from);
        return { kind: 'page', bodies: rows.map(({ body }) => body), next: placeAt(next, []), more: rows.length === take };
      },
    },
  };
};
