import { Readable } from 'node:stream';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { asAdmin, SETTINGS, startProcess, type ServerProcess } from '../support/server.ts';

interface Report {
  readonly ended: string;
  readonly nextLine: number | null;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

const COUNT = 600;
const NDJSON = Array.from(
  { length: COUNT },
  (_, k) => `${JSON.stringify({ name: `Plane ${String(k)}`, slug: `p-${String(k)}` })}\n`,
);
// Each product has two rows, and the header has one.
const CSV = [
  'Handle,Title,Variant SKU\n',
  ...Array.from({ length: COUNT }, (_, k) => `p-${k},Plane ${k},a-${k}\np-${k},,b-${k}\n`),
];

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => server.end());
afterAll(() => database.close());

let stores = 0;
const newStore = async (): Promise<{ id: string; domain: string }> => {
  stores += 1;
  const domain = `stopped-${String(stores)}.example`;
  return JSON.parse((await asAdmin(server, 'POST', '/admin/stores', { domain })).body) as { id: string; domain: string };
};

const saved = async (storeId: string): Promise<number> => {
  const rows = await database.query('SELECT 1 FROM products WHERE store_id = $1', [storeId]);
  return rows.length;
};

/** The file, whose client then sends nothing more and does not end it. */
const unended = (lines: readonly string[]): Readable => {
  const left = [...lines];
  return new Readable({
    read: function () {
      if (left.length > 0) this.push(left.splice(0, 50).join(''));
    },
  });
};

describe('SIGTERM during an import', () => {
  it.each([
    ['NDJSON', 'application/x-ndjson', NDJSON, 501, {}],
    ['NDJSON with WORKERS=2', 'application/x-ndjson', NDJSON, 501, { WORKERS: '2' }],
  ])(
    '%s: the answer says how far it came, the server exits with 0, and the same file again imports the rest',
    async (_, type, lines, nextLine, env) => {
      server = await startProcess({ databaseUrl: database.url, env });
      const { id } = await newStore();
      const headers = { authorization: `Bearer ${SETTINGS.ADMIN_TOKEN}`, 'content-type': type };
      const path = `/admin/stores/${id}/products/import`;
      const answering = request(`${server.adminUrl}${path}`, { method: 'POST', headers, body: unended(lines) });
      await eventually(async () => expect(await saved(id)).toBe(500));
      server.kill('SIGTERM');
      const answer = await answering;
      expect(answer.statusCode).toBe(200);
      const report = (await answer.body.json()) as Report;
      expect(report).toMatchObject({ ended: 'stopped', nextLine, created: 500, failed: 1 });
      expect(report.errors[0]).toEqual({ line: nextLine, message: expect.stringMatching(/^The server stopped\./) as string });
      expect(await server.exited).toEqual({ code: 0, signal: null });
      expect(await saved(id)).toBe(500);

      server = await startProcess({ databaseUrl: database.url });
      const again = await asAdmin(server, 'POST', path, lines.join(''), type);
      expect(JSON.parse(again.body)).toMatchObject({
        ended: 'complete',
        nextLine: null,
        created: 100,
        unchanged: 500,
        failed: 0,
      });
    },
  );

  it('CSV that has not arrived as a whole: nothing of it is imported yet', async () => {
    server = await startProcess({ databaseUrl: database.url });
    const { id } = await newStore();
    const headers = { authorization: `Bearer ${SETTINGS.ADMIN_TOKEN}`, 'content-type': 'text/csv' };
    const path = `/admin/stores/${id}/products/import`;
    const answering = request(`${server.adminUrl}${path}`, { method: 'POST', headers, body: unended(CSV) });
    await eventually(async () => {
      const imports = await asAdmin(server, 'GET', `/admin/stores/${id}/product-imports`);
      expect(JSON.parse(imports.body)).toMatchObject({ items: [{ ended: null }] });
    });
    server.kill('SIGTERM');
    const answer = await answering;
    expect(await answer.body.json()).toMatchObject({ ended: 'stopped', nextLine: 1, created: 0, failed: 1 });
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await saved(id)).toBe(0);

    server = await startProcess({ databaseUrl: database.url });
    const again = await asAdmin(server, 'POST', path, CSV.join(''), 'text/csv');
    expect(JSON.parse(again.body)).toMatchObject({ ended: 'complete', created: COUNT, failed: 0 });
  });

  it('the command line says it and exits with 1', async () => {
    server = await startProcess({ databaseUrl: database.url });
    const { id, domain } = await newStore();
    const stdin = async function* () {
      yield* NDJSON;
      await new Promise(() => undefined);
    };
    const running = runCommand(['products', 'import', '-', '--format', 'ndjson', '--store', domain], {
      env: { TENON_ADMIN_URL: server.adminUrl, TENON_ADMIN_TOKEN: SETTINGS.ADMIN_TOKEN },
      stdin: stdin(),
    });
    await eventually(async () => expect(await saved(id)).toBe(500));
    server.kill('SIGTERM');
    const { status, err } = await running;
    expect({ status, err }).toEqual({
      status: 1,
      err: 'tenon: The server stopped. What comes before line 501 is done, and the rest of the file was not read. Send the same file again: what is imported already does not change.\n',
    });
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });
});
