import dns from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { runCommand } from '../support/command-line.ts';

const TOKEN = 'the-token-that-the-first-start-made';

const listen = async (host: string, port: number, seen: string[]): Promise<Server> => {
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization ?? '');
    response.setHeader('content-type', 'application/json').end('{"items":[],"total":0}');
  }).listen(port, host);
  await once(server, 'listening');
  return server;
};

let folder = '';
let port = 0;
let servers: Server[] = [];
const [own, stranger]: [string[], string[]] = [[], []];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-stranger-'));
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ adminToken: TOKEN, secretKeys: 'k1:x' }));
  const server = await listen('127.0.0.1', 0, own);
  ({ port } = server.address() as AddressInfo);
  servers = [server, await listen('::1', port, stranger)];
  // Debian and macOS resolve localhost to both, [::1] first.
  const both = [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ];
  vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, _options: object, done: (error: null, found: object[]) => void) => {
    done(null, both);
  }) as unknown as typeof dns.lookup);
});
afterAll(() => {
  vi.restoreAllMocks();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

it.each([
  ['by default', []],
  ['for localhost given by hand', ['--admin-url', 'localhost']],
])('a stranger on [::1] is not given the token of this machine %s', async (_title, flags) => {
  const address = flags.map((flag) => (flag === 'localhost' ? `http://localhost:${String(port)}` : flag));
  const env = { DATA_DIR: folder, ADMIN_PORT: String(port) };
  const ran = await runCommand(['store', 'list', '--json', ...address], { env });
  expect(ran).toMatchObject({ status: 0, err: '' });
  expect(own.splice(0)).toContain(`Bearer ${TOKEN}`);
  expect(stranger).toEqual([]);
});
