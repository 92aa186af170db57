import { createHmac } from 'node:crypto';
import pg from 'pg';
import { Pool } from 'undici';

import { answerParent } from '../support/parent.ts';

/**
 * A hand-written sender for deliveries alone: a table of bodies, batches claimed with SKIP LOCKED,
 * sent with undici 50 at a time, completed in batches. No fairness, no holds, no log of attempts,
 * no health of receivers.
 */
const { DATABASE_URL = '', RECEIVER_URL = '' } = process.env;
const CONCURRENCY = 50;
const BATCH = 200;
const KEY = Buffer.alloc(32, 7);

interface Row {
  readonly id: string;
  readonly body: string;
}

const CLAIM = `UPDATE ceiling_deliveries SET status = 'Delivering' WHERE id IN (
  SELECT id FROM ceiling_deliveries WHERE status = 'Pending' ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id, body`;
const COMPLETE = `UPDATE ceiling_deliveries SET status = 'Delivered' WHERE id = ANY($1::bigint[])`;

const database = new pg.Pool({ connectionString: DATABASE_URL, max: 4 });
const receiver = new Pool(RECEIVER_URL, { connections: CONCURRENCY, pipelining: 1 });

const claim = async (): Promise<Row[]> => (await database.query<Row>({ name: 'claim', text: CLAIM })).rows;

const send = async ({ id, body }: Row): Promise<void> => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
  const response = await receiver.request({
    method: 'POST',
    path: '/',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await response.body.text();
};

const run = async (): Promise<object> => {
  let due: Row[] = [];
  let claiming: Promise<void> | null = null;
  let dry = false;
  let done: string[] = [];
  let completing: Promise<void> = Promise.resolve();
  const refill = (): Promise<void> =>
    (claiming ??= claim().then((rows) => {
      due.push(...rows);
      dry = rows.length === 0;
      claiming = null;
    }));
  const complete = (): void => {
    const batch = done;
    done = [];
    completing = completing.then(async () => {
      await database.query({ name: 'complete', text: COMPLETE, values: [batch] });
    });
  };
  const work = async (): Promise<void> => {
    for (;;) {
      // Claimed ahead, so that no sender waits.
      if (due.length < BATCH && !dry) void refill();
      const next = due.shift();
      if (!next) {
        if (dry) return;
        await refill();
        continue;
      }
      await send(next);
      done.push(next.id);
      if (done.length >= BATCH) complete();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  complete();
  await completing;
  due = [];
  return {};
};

answerParent(run);
