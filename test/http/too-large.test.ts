import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { Client, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApp, type OpenApp } from '../support/app.ts';
import { head, raw } from '../support/raw.ts';

const PATH = '/apps/catalog/products/bulk';
const MB = 1_000_000;
const SIZES = [3 * MB, 10 * MB];

interface Answer {
  readonly status: number;
  readonly connection: string | null;
  readonly body: string;
}

/** The body in pieces, so that its length is not declared. */
const pieces = function* (size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= 65_536) {
    yield Buffer.alloc(Math.min(left, 65_536), 'x');
  }
};

describe('a body that is too large gets 413 before it is read, and is then read so that the answer arrives', () => {
  let server: OpenApp;
  let headers: Record<string, string>;
  let directory: string;
  beforeAll(async () => {
    server = await openApp();
    const store = await server.aStore();
    const token = await server.token(await server.anApp(store));
    headers = {
      Host: store.domain,
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'large',
    };
    directory = await mkdtemp(join(tmpdir(), 'tenon-large-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  /** fetch is not here: it does not let its caller set Host. */
  const clients: Readonly<Record<string, (size: number, isDeclared: boolean) => Promise<Answer>>> = {
    undici: async (size, isDeclared) => {
      const client = new Client(server.url);
      const body = isDeclared ? Buffer.alloc(size, 'x') : Readable.from(pieces(size));
      const answer = await client.request({ path: PATH, method: 'POST', headers, body });
      const text = await answer.body.text();
      await client.destroy();
      const { connection } = answer.headers;
      return { status: answer.statusCode, connection: String(connection), body: text };
    },
    'node:http, which writes everything first': (size, isDeclared) =>
      new Promise((resolve, reject) => {
        const length = isDeclared ? { 'Content-Length': String(size) } : {};
        const req = httpRequest(
          server.url + PATH,
          { method: 'POST', headers: { ...headers, ...length }, agent: false },
          (res) => {
            let body = '';
            res.on('data', (chunk: Buffer) => (body += chunk.toString()));
            res.on('end', () => {
              resolve({ status: res.statusCode ?? 0, connection: res.headers.connection ?? null, body });
            });
          },
        );
        req.on('error', reject).end(Buffer.alloc(size, 'x'));
      }),
    curl: async (size, isDeclared) => {
      const file = join(directory, String(size));
      await writeFile(file, Buffer.alloc(size, 'x'));
      const sent = Object.entries({ ...headers, ...(isDeclared ? {} : { 'Transfer-Encoding': 'chunked' }) });
      const args = ['-sS', '-i', '--data-binary', `@${file}`, ...sent.flatMap(([name, value]) => ['-H', `${name}: ${value}`])];
      const { stdout } = await promisify(execFile)('curl', [...args, server.url + PATH]);
      const [top = '', body = ''] = stdout.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '').split('\r\n\r\n');
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(top) ?? [];
      return { status: Number(status), connection: /\r\nConnection: (\w+)/i.exec(top)?.[1] ?? null, body };
    },
  };

  const cases = Object.keys(clients).flatMap((client) =>
    SIZES.flatMap((size) => [[client, size, 'declared'] as const, [client, size, 'chunked'] as const]),
  );
  it.each(cases)('413 seen by %s: %d bytes, %s', async (name, size, how) => {
    const answer = await clients[name]?.(size, how === 'declared');
    expect(answer).toMatchObject({ status: 413, connection: 'close' });
    const message = { error: 'The body must not exceed 2097152 bytes.', code: 'payload_too_large' };
    expect(JSON.parse(answer?.body ?? '')).toEqual(message);
  });

  it('413 seen by a client that reads only after it has sent everything', async () => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const request = head(`POST ${PATH} HTTP/1.1`, ...lines, `Content-Length: ${String(10 * MB)}`);
    const answer = await raw(server.url, Buffer.concat([Buffer.from(request), Buffer.alloc(10 * MB, 'x')]));
    expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/);
    expect(answer).toMatch(/"code":"payload_too_large"}$/);
  });

  it.each(SIZES)('401 with an empty body from POST /apps/token, seen by fetch: %d bytes', async (size) => {
    const answer = await fetch(`${server.url}/apps/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: Buffer.alloc(size, 'x'),
    });
    expect([answer.status, await answer.text(), answer.headers.get('cache-control')]).toEqual([401, '', 'no-store']);
  });

  it('after 413 for an endless body, the connection is cut after a bounded number of bytes', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(head(`POST ${PATH} HTTP/1.1`, ...lines, 'Transfer-Encoding: chunked'));
    const piece = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    const sent = await new Promise<number>((resolve) => {
      let size = 0;
      const write = (): void => {
        do size += piece.length;
        while (socket.write(piece));
      };
      socket.on('drain', write).on('connect', write);
      socket
        .on('error', () => null)
        .on('close', () => {
          resolve(size);
        });
    });
    expect(sent).toBeGreaterThan(30 * MB);
    expect(sent).toBeLessThan(60 * MB);
  });
});
