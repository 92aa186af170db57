import { setTimeout as pause } from 'node:timers/promises';
import { Tenon } from 'tenon-client';

import { syncOnce } from './sync.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}. See examples/README.md.`);
  return value;
};

/** Synchronises until it is stopped. Requests are repeated through any outage of the store. */
const tenon = new Tenon({
  store: setting('STORE'),
  clientId: setting('CLIENT_ID'),
  clientSecret: setting('CLIENT_SECRET'),
  maxAttempts: Infinity,
});
const files = { source: setting('SOURCE'), state: setting('STATE') };
const seconds = Number(process.env['EVERY_SECONDS'] ?? 60);

for (;;) {
  const results = await syncOnce(tenon, files).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(1);
  });
  for (const { id, status, error, replayed } of results)
    console.log(`${id ?? '-'} ${status}${replayed ? ' before' : ''}${error === null ? '' : `: ${error}`}`);
  await pause(seconds * 1_000);
}
