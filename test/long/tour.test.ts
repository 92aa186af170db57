import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { pictureText } from '../../.ci/tour-picture.ts';
import { textOf } from '../architecture/source.ts';
import { runMain } from '../support/main-process.ts';

const TOUR = [process.execPath, '--import', 'tsx', 'examples/tour/main.ts'];

const STEPS = [
  'server',
  'receiver',
  'store',
  'app',
  'products',
  'list',
  'subscription',
  'ping',
  'bulk update',
  'delivery',
  'replay',
  'order',
  'retry',
  "merchant's subscription",
  'uninstall',
  'silence',
  'credentials',
  'end',
];

/** Replaces what differs between tours: ports, times and the store's name. */
const steady = (text: string): string => text.replaceAll(/tour-[0-9a-f]{8}/g, 'tour-#').replaceAll(/\d+(\.\d+)?/g, '#');

/** Takes the tour, which must pass. Returns its output. */
const takeTour = async (env: Record<string, string> = {}): Promise<string> => {
  const tour = runMain({ command: TOUR, env });
  const code = await tour.ended;
  expect(code, tour.err()).toBe(0);
  const lines = tour.out().trimEnd().split('\n');
  expect(lines.map((line) => /^✓ ([^:]+): ./.exec(line)?.[1] ?? line)).toEqual([...STEPS, 'All steps passed.']);
  return tour.out();
};

it('the tour starts a server if none answers, passes every step and exits with 0; its output is the picture in the README', async () => {
  const printed = await takeTour();
  expect(printed).toContain('✓ server: started for this tour');
  expect(steady(pictureText(textOf('docs/images/tour.svg')))).toBe(steady(printed.trimEnd()));
}, 600_000);

it('the tour finds the server of npm start with the same settings and leaves it running', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'tenon-toured-'));
  const server = runMain({ env: { DATA_DIR } });
  try {
    const printed = await server.says('Tenon is ready');
    const [PORT = '', ADMIN_PORT = ''] = ['url', 'adminUrl'].map(
      (name) => new RegExp(`"${name}":"[^"]*:(\\d+)"`).exec(printed)?.[1],
    );
    expect(await takeTour({ DATA_DIR, PORT, ADMIN_PORT })).toContain('✓ server: already running');
    expect(server.child.exitCode).toBeNull();
  } finally {
    await server.stop();
    await rm(DATA_DIR, { recursive: true, force: true });
  }
}, 600_000);

it('the tour names a failed step in one line and exits with 1', async () => {
  // A server that is ready but knows no other path.
  const other = createServer((request, response) => response.writeHead(request.url === '/readyz' ? 200 : 404).end());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const tour = runMain({ command: TOUR, env: { ADMIN_PORT: String(port), ADMIN_TOKEN: 'the-admin-token-of-the-tests' } });
    expect(await tour.ended).toBe(1);
    expect(tour.err()).toBe('✗ store: POST /admin/stores was answered 404 instead of 201\n');
  } finally {
    other.close();
  }
}, 120_000);
