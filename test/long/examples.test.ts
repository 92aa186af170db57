import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { withDeadline } from '../../src/adapters/startup/deadline.ts';
import { freePort } from '../support/free-port.ts';
import { runMain } from '../support/main-process.ts';

/** Runs an npm script, and nothing but it: the folder has no server that it could find. */
const runScript = async (name: string, env: Readonly<Record<string, string>> = {}) => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'tenon-examples-'));
  const run = runMain({ command: ['npm', 'run', '--silent', name], env: { DATA_DIR, ...env } });
  void run.ended.then(() => rm(DATA_DIR, { recursive: true, force: true }));
  return run;
};

it('npm run example:search-index starts the app, whose search finds products of the sample catalogue', async () => {
  const run = await runScript('example:search-index');
  try {
    const printed = await run.says('/titles');
    const search = /curl '(http[^']+\/search\?q=[^']+)'/.exec(printed)?.[1] ?? '';
    const answer = await withDeadline(20_000, undefined, (signal) => fetch(search, { signal }));
    const found = (await answer.json()) as { name: string }[];
    expect(found.map(({ name }) => name)).toEqual(['Harbour Rain Jacket', 'Harbour Roast']);
  } finally {
    await run.stop();
  }
});

it('npm run example:hono-receiver starts the receiver, which refuses what is not signed', async () => {
  const RECEIVER_PORT = String(await freePort());
  const run = await runScript('example:hono-receiver', { RECEIVER_PORT, SIGNING_SECRET: `whsec_${btoa('x'.repeat(24))}` });
  try {
    await run.says('Subscribe ');
    const answer = await fetch(`http://127.0.0.1:${RECEIVER_PORT}/webhooks`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(400);
  } finally {
    await run.stop();
  }
});
