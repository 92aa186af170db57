import { execFile } from 'node:child_process';
import { access, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import type { MainProcess } from '../support/main-process.ts';
import { startsOfThisFile } from '../support/starts.ts';

const files = startsOfThisFile();
const { run, fails } = files;

/** Answer of the admin API here: a list, or an event. */
interface Answer {
  readonly items: readonly { readonly id: string; readonly status: string | number; readonly error?: string | null }[];
  readonly eventId: string;
  readonly deliveries: readonly { readonly status: string }[];
}

/** Calls the admin API of a start, by the address in its log, which may come after what it prints. With a body it posts. */
const adminOf = async (started: MainProcess, token: string) => {
  const log = await started.says('"msg":"listening"');
  const url = /"adminUrl":"([^"]+)"/.exec(log)?.[1] ?? '';
  return async (path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(
      `${url}/admin${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    expect(response.ok).toBe(true);
    return (await response.json()) as Answer;
  };
};

it('npm start prints curl lines that work when pasted, ends with 0 on SIGTERM and when its terminal closes, and keeps its data at the second start', async () => {
  const first = run({}, ['npm', 'start']);
  const printed = await first.says('with Idempotent-Replay: true.');
  const lines = printed.split('Try it:\n')[1]?.split('Repeat the last line')[0] ?? '';
  const last = lines.slice(lines.indexOf('  curl -si'));
  const { stdout } = await promisify(execFile)('bash', ['-ec', `${lines}\n${last}`]);
  expect(stdout).toContain('"total":60');
  expect(stdout.match(/"requested":1,"succeeded":1,"failed":0/g)).toHaveLength(2);
  expect(stdout.match(/^Idempotent-Replay: true/gim)).toHaveLength(1);
  const secret = /client secret +(\S+)/.exec(printed)?.[1] ?? '';
  const adminToken = /admin token +(\S+)/.exec(printed)?.[1] ?? '';
  expect([secret, adminToken]).not.toContain('');
  expect(printed.split(adminToken)).toHaveLength(2);
  // The demo has lived for a moment, so that no page of the console is empty.
  const admin = await adminOf(first, adminToken);
  const { items: stores } = await admin('/stores');
  const store = `/stores/${stores[0]?.id ?? ''}`;
  const outcomes = async () => (await admin(`${store}/deliveries?take=250`)).items.map((item) => item.error ?? item.status);
  await eventually(async () => expect(await outcomes()).toEqual(expect.arrayContaining(['Delivered', 'http_5xx'])));
  const refusals = async () => (await admin(`${store}/requests`)).items.map((item) => item.status);
  await eventually(async () => expect(await refusals()).toEqual(expect.arrayContaining([403, 422])));
  expect(await first.stop()).toBe(0);

  const second = run();
  const again = await second.says('rotate-signing-secret');
  expect(again).toContain('The data of earlier starts is kept');
  expect(again).not.toContain(secret);
  expect(again).not.toContain(adminToken);
  // The lines that it prints in place of the secrets work when pasted.
  const list = /^ {2}(.+ app list)$/m.exec(again)?.[1] ?? '';
  expect((await promisify(execFile)('bash', ['-ec', list])).stdout).toContain('\tDemo app\tInstalled\t');
  // The demo's receiver listens again on the port that is subscribed.
  const later = await adminOf(second, adminToken);
  const { eventId } = await later(`${store}/events`, { type: 'order.created', data: { id: 'order-2001' } });
  await eventually(async () => {
    const { deliveries } = await later(`${store}/events/${eventId}`);
    expect(deliveries.map((delivery) => delivery.status)).toContain('Delivered');
  });
  expect(await second.stop('SIGHUP')).toBe(0);
}, 120_000);

describe('a failed start says why in one line and exits with 1', () => {
  it('a bad setting', async () => {
    expect(await fails({ PORT: 'abc' })).toMatch(/^tenon: PORT: /);
  });

  it('an unreachable database, without its password', async () => {
    const line = await fails({ DATABASE_URL: 'postgresql://tenon:sekret@127.0.0.1:1/tenon' });
    expect(line).toMatch(/^tenon: DATABASE_URL: /);
    expect(line).not.toContain('sekret');
  });

  it('a database that has rows, without the keys of its secrets: it makes no others', async () => {
    const DATA_DIR = join(files.dataDir, 'lost-keys');
    const [kept, aside] = [join(DATA_DIR, 'secrets.json'), join(files.dataDir, 'aside.json')];
    const first = run({ DATA_DIR });
    await first.says('Tenon is ready');
    expect(await first.stop()).toBe(0);
    await rename(kept, aside);
    const line = await fails({ DATA_DIR });
    expect(line).toBe(
      `tenon: SECRET_KEYS is not set. Set it as on the server, or copy secrets.json from the server to ${kept}. A new key would open nothing in this database. If the keys are lost, set SECRET_KEYS to a new one: the start then says how to continue.`,
    );
    await expect(access(kept)).rejects.toThrow('ENOENT');
    await rename(aside, kept);
    const again = run({ DATA_DIR });
    await again.says('The data of earlier starts is kept');
    expect(await again.stop()).toBe(0);
  }, 120_000);
});
