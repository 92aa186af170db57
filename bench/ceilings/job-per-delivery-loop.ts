import { createHmac } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Pool } from 'undici';

import { answerParent } from '../support/parent.ts';

/** The usual design: a BullMQ job on Redis for each delivery, 50 at a time. */
const { REDIS_URL = '', RECEIVER_URL = '' } = process.env;
const CONCURRENCY = 50;
const KEY = Buffer.alloc(32, 7);
const connection = { url: REDIS_URL };

interface Data {
  readonly body: string;
}

const queue = new Queue<Data>('ceiling', { connection });
const receiver = new Pool(RECEIVER_URL, { connections: CONCURRENCY, pipelining: 1 });

new Worker<Data>(
  'ceiling',
  async ({ id = '', data: { body } }) => {
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
  },
  { connection: { ...connection, maxRetriesPerRequest: null }, concurrency: CONCURRENCY, removeOnComplete: { count: 0 } },
);

type Request = { readonly fill: number; readonly body: string } | { readonly run: true };

answerParent(async (request: Request) => {
  if ('run' in request) await queue.resume();
  else {
    await queue.pause();
    for (let left = request.fill; left > 0; left -= 1000) {
      await queue.addBulk(
        Array.from({ length: Math.min(1000, left) }, () => ({ name: 'deliver', data: { body: request.body } })),
      );
    }
  }
  return {};
});
