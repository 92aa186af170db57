import { serve } from '@hono/node-server';

import { createApp } from './app.ts';

/** `SIGNING_SECRET=whsec_... npm run example:hono-receiver`. PREVIOUS_SIGNING_SECRET counts too, while a secret rotates. */
const { SIGNING_SECRET, PREVIOUS_SIGNING_SECRET, RECEIVER_PORT = '8090' } = process.env;
if (!SIGNING_SECRET) {
  console.error('Set SIGNING_SECRET: `tenon app install` shows it.');
  process.exit(2);
}
const app = createApp([SIGNING_SECRET, PREVIOUS_SIGNING_SECRET], (line) => console.log(line));
serve({ fetch: app.fetch, port: Number(RECEIVER_PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`Subscribe http://127.0.0.1:${port}/webhooks`);
});
