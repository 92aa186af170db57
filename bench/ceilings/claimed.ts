import { createHash, randomUUID } from 'node:crypto';
import express from 'express';
import type pg from 'pg';

import { sendJson, type Caller, type Kitchen } from './serve.ts';

const CLAIM = `INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
/** In a commit of its own, with `$5` as its synchronous_commit. */
const CLAIM_BEFORE = `INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint)
  SELECT $1, $2, $3, $4 WHERE set_config('synchronous_commit', $5, true) IS NOT NULL ON CONFLICT DO NOTHING`;
const RECORD = `WITH recorded AS (
    INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, body, created_at)
    SELECT id, $1, $6, product_id, $2, body, clock_timestamp()
    FROM unnest($3::uuid[], $4::text[], $5::text[]) AS e(id, product_id, body) RETURNING store_id, id)
  INSERT INTO pending_events (store_id, event_id) SELECT store_id, id FROM recorded`;
const REMEMBER = `UPDATE idempotency_records SET status = 200, headers = $4::jsonb, body = $5, finished_at = clock_timestamp()
  WHERE store_id = $1 AND installation_id = $2 AND key = $3`;

const HEADERS = JSON.stringify({ 'Content-Type': 'application/json; charset=utf-8' });

export type Query = <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) => Promise<R[]>;

export interface OwnEvent {
  readonly id: string;
  readonly productId: string;
  readonly body: string;
}

interface EventData extends Readonly<Record<string, unknown>> {
  readonly id: string;
}

/** An event of a product with this data. */
export const eventOf = (storeId: string, type: string, timestamp: string, data: EventData): OwnEvent => {
  const id = randomUUID();
  return { id, productId: data.id, body: JSON.stringify({ id, type, timestamp, storeId, data }) };
};

export const record = (
  query: Query,
  { storeId, installationId }: Caller,
  type: string,
  events: readonly OwnEvent[],
): Promise<unknown> =>
  query('record', RECORD, [
    storeId,
    installationId,
    events.map(({ id }) => id),
    events.map(({ productId }) => productId),
    events.map(({ body }) => body),
    type,
  ]);

/**
 * A bulk update by hand, in one transaction with its key and its response. Only what is new and
 * well-formed is sent here.
 */
export const mountBulk = (
  { app, database, facts, asCaller }: Kitchen,
  path: string,
  update: (query: Query, caller: Caller, body: string) => Promise<Buffer>,
): void => {
  const run = async (caller: Caller, key: string, fingerprint: Buffer, body: Buffer): Promise<Buffer> => {
    const client = await database.connect();
    const query: Query = async <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) =>
      (await client.query<R>({ name, text, values: [...values] })).rows;
    try {
      const scope = [caller.storeId, caller.installationId, key];
      const claim = [...scope, fingerprint];
      if (facts['claim'] !== undefined) await query('claim-before', CLAIM_BEFORE, [...claim, facts['claim']]);
      await client.query('BEGIN');
      if (facts['claim'] === undefined) await query('claim', CLAIM, claim);
      const response = await update(query, caller, body.toString());
      await query('remember', REMEMBER, [...scope, HEADERS, response]);
      await client.query('COMMIT');
      return response;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  };

  app.post(
    path,
    express.raw({ type: '*/*', limit: '2mb' }),
    asCaller(async (req, res, caller) => {
      const body = req.body as Buffer;
      const fingerprint = createHash('sha256').update(`${req.method} ${req.path}\n`).update(body).digest();
      sendJson(res, await run(caller, req.headers['idempotency-key'] as string, fingerprint, body));
    }),
  );
};
