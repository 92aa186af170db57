import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { runCommand, type RanOptions } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';

let app: OpenApp;
let folder: string;
let store: TestStore;
beforeAll(async () => {
  app = await openApp();
  folder = await mkdtemp(join(tmpdir(), 'tenon-products-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  store = await app.aStore();
});

const env = () => ({ TENON_ADMIN_URL: app.adminUrl, TENON_ADMIN_TOKEN: ADMIN_TOKEN });
const products = (words: readonly string[], options: RanOptions = {}) =>
  runCommand(['products', ...words, '--store', store.domain], { env: env(), ...options });
const file = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};
const line = (k: number, more: object = {}): string =>
  `${JSON.stringify({ name: `Plane ${String(k)}`, slug: `plane-${String(k)}`, ...more })}\n`;
const total = async (): Promise<number> => {
  const { body } = await app.admin('get', `/admin/stores/${store.id}/products`).expect(200);
  return (body as { total: number }).total;
};

describe('tenon products import', () => {
  it('imports a CSV file and shows what it did', async () => {
    const { status, out, err } = await products(['import', 'examples/sample-catalogue.csv']);
    expect({ status, out, err }).toEqual({
      status: 0,
      out: 'read\t30\ncreated\t30\nupdated\t0\nunchanged\t0\nfailed\t0\n',
      err: '',
    });
    expect(await total()).toBe(30);
  });

  it('--dry-run writes nothing, and shows what the import would do', async () => {
    const { status, out, err } = await products(['import', 'examples/sample-catalogue.csv', '--dry-run']);
    const counts = 'read\t30\ncreated\t30\nupdated\t0\nunchanged\t0\nfailed\t0\n';
    expect({ status, out, err }).toEqual({ status: 0, out: counts, err: 'Nothing was written: this was a dry run.\n' });
    expect(await total()).toBe(0);
    expect(await products(['imports'])).toMatchObject({ status: 0, out: '' });
  });

  it('is in the list of imports, with its file', async () => {
    await products(['import', 'examples/sample-catalogue.csv', '--quiet']);
    await products(['import', await file('bad.ndjson', line(1) + '{"nam":1}\n')]);
    const { status, out } = await products(['imports', '--json']);
    expect(status).toBe(0);
    const listed = out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as unknown);
    expect(listed).toMatchObject([
      { fileName: 'bad.ndjson', created: 1, failed: 1, errors: [{ line: 2 }] },
      { fileName: 'sample-catalogue.csv', created: 30, failed: 0, ended: 'complete' },
    ]);
  });

  it('shows a bar on a terminal that ends at 100 % with all products', async () => {
    const { status, err } = await products(['import', 'examples/sample-catalogue.csv'], { terminal: true });
    expect(status).toBe(0);
    expect(err.split('\r').at(-1)).toMatch(/\[={24}\] 100 % {2}30 products .* 0 failed\n$/);
  });

  it('exits with 1 when products failed, shows the first ones and lists all in the report', async () => {
    const bad = Array.from({ length: 7 }, (_, k) => `{"nam":${String(k)}}\n`).join('');
    const report = join(folder, 'failed.csv');
    const path = await file('some.ndjson', line(1) + bad);
    const { status, out, err } = await products(['import', path, '--report', report, '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ read: 8, created: 1, failed: 7 });
    expect(err).toMatch(
      /^tenon: 7 of 8 products failed\. .*failed\.csv lists 7 of them\.\n {2}line 2: .+\n( {2}line \d: .+\n){4}\.\.\. and 2 more\.\n$/,
    );
    const written = await readFile(report, 'utf8');
    expect(written).toMatch(/^\uFEFFline,message\r\n2,/);
    expect(written.trimEnd().split('\r\n')).toHaveLength(8);
  });

  it('--charset says how the file is read, and the advice without it names the option', async () => {
    const path = join(folder, 'western.csv');
    await writeFile(path, Buffer.from('Handle,Title\nm,Möbel\n', 'latin1'));
    const without = await products(['import', path]);
    expect(without.status).toBe(1);
    expect(without.err).toContain('If the file has another charset, name it, for example --charset windows-1252.');
    expect(await products(['import', path, '--charset', 'windows-1252'])).toMatchObject({ status: 0, err: '' });
    expect(await products(['get', 'm', '--json'])).toMatchObject({ out: expect.stringContaining('"Möbel"') as string });
    expect(await products(['import', path, '--charset', 'klingon'])).toMatchObject({
      status: 2,
      err: 'tenon: There is no charset klingon. Give a name of the Encoding Standard, such as windows-1252 or utf-16le.\n',
    });
  });

  it('--allow-removals imports a file that removes many variants, and without it nothing is imported', async () => {
    const sizes = (count: number): string =>
      Array.from({ length: count }, (_, n) => `saw,${n === 0 ? 'Saw,Size' : ','},${String(n)},S-${String(n)}\n`).join('');
    const header = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU\n';
    expect((await products(['import', await file('saws.csv', header + sizes(12))])).status).toBe(0);
    const path = await file('one-saw.csv', header + sizes(1));
    const refused = await products(['import', path]);
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.err).toContain('The import would remove 11 of 12 variants of the products in the file');
    const tried = await products(['import', path, '--dry-run']);
    expect(tried).toMatchObject({ status: 1, out: expect.stringContaining('variantsRemoved\t11\n') as string });
    expect(await products(['import', path, '--allow-removals'])).toMatchObject({
      status: 0,
      out: 'read\t1\ncreated\t0\nupdated\t1\nunchanged\t0\nfailed\t0\nvariantsRemoved\t11\n',
    });
  });

  it('says that nothing was imported, and why, of a file that is refused as a whole', async () => {
    const header = 'ID,Type,SKU,Name,Published,Visibility in catalog\n';
    const path = await file('woo.csv', header + '1,simple,S,Saw,1,visible\n'.repeat(5));
    const report = join(folder, 'refused.csv');
    expect(await products(['import', path, '--report', report])).toEqual({
      status: 1,
      out: '',
      err: `tenon: Nothing from ${path} was imported. This looks like a WooCommerce export. Tenon reads Shopify product exports. docs/import.md says how to convert it ("Files of other shops").\n`,
    });
    expect(await readFile(report, 'utf8')).toContain('WooCommerce');
    const json = await products(['import', path, '--json']);
    expect(json.status).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ ended: 'refused', created: 0 });
  });

  it('notes what it did not take', async () => {
    const path = await file('typo.csv', 'Handle,Title,Variant SKU,Varient Price\nsaw, Saw ,S,12\n');
    expect(await products(['import', path])).toMatchObject({
      status: 0,
      err:
        'Note for line 1: These columns are not read: Varient Price (did you mean Variant Price?).\n' +
        'Note for line 1: Blanks at the ends of names and codes are not kept: 1 text in Title. The first is in line 2.\n',
    });
  });

  it('reads standard input', async () => {
    expect((await products(['import', '-', '--format', 'ndjson'], { stdin: line(1) + line(2) })).status).toBe(0);
    expect(await total()).toBe(2);
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['does not exist', () => Promise.resolve('/nowhere/products.csv'), /\/nowhere\/products\.csv does not exist\./],
    ['is empty', () => file('empty.csv', ''), /empty\.csv is empty\./],
    ['has no known ending', () => file('products.txt', 'x'), /--format csv or --format ndjson/],
  ])('exits with 2 for a file that %s', async (_name, path, message) => {
    expect(await products(['import', await path()])).toMatchObject({ status: 2, err: expect.stringMatching(message) });
  });

  it('exits with 2 for a directory, an empty standard input, and a report that can not be written', async () => {
    const csv = ['--format', 'csv'];
    expect((await products(['import', 'examples', ...csv])).err).toBe('tenon: examples is a directory. Give a file.\n');
    expect(await products(['import', '-', ...csv])).toMatchObject({ status: 2, err: 'tenon: Standard input is empty.\n' });
    const path = await file('one.ndjson', line(1));
    for (const report of [path, folder, '/nowhere/x.csv']) {
      expect((await products(['import', path, '--report', report])).status).toBe(2);
    }
    expect(await total()).toBe(0);
  });

  it('Ctrl-C stops it: it says what is saved, which stays, and exits with 130', async () => {
    const stopping = new AbortController();
    const stdin = async function* () {
      for (let k = 0; k < 600; k += 1) yield line(k);
      await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
    };
    const running = products(['import', '-', '--format', 'ndjson'], { stdin: stdin(), interrupted: stopping.signal });
    await eventually(async () => expect(await total()).toBe(500));
    stopping.abort('SIGINT');
    const { status, out, err } = await running;
    expect({ status, out }).toEqual({ status: 130, out: '' });
    expect(err).toMatch(/^tenon: Stopped\. 500 created, 0 updated, 0 unchanged, 0 failed\. Saved products are kept\./);
    expect(await total()).toBe(500);
  });
});

describe('tenon products export', () => {
  it('writes what import reads', async () => {
    await products(['import', 'examples/sample-catalogue.csv', '--quiet']);
    const { status, out } = await products(['export']);
    expect(status).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(30);
    const again = await products(['import', '-', '--format', 'ndjson'], { stdin: out });
    expect(again).toMatchObject({ status: 0, out: 'read\t30\ncreated\t0\nupdated\t0\nunchanged\t30\nfailed\t0\n' });
  });

  it('--app writes what an app gets', async () => {
    const [id = ''] = await app.importProducts(store, [{ name: 'Plane' }]);
    const { status, out } = await products(['export', '--app']);
    expect(status).toBe(0);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as object);
    const whole = (await app.admin('get', `/admin/stores/${store.id}/products/${id}`).expect(200)).body as object;
    expect(lines).toMatchObject([
      { feed: expect.any(String) as string },
      { product: whole, after: expect.any(String) as string },
      { more: false },
    ]);
  });

  it('ends quietly when its reader has seen enough', async () => {
    const text = 'x'.repeat(10_000);
    await app.importProducts(
      store,
      Array.from({ length: 100 }, (_, k) => ({ name: `Plane ${String(k)}`, longDescription: text })),
    );
    const main = join(inject('built'), 'src/main.js');
    const command = `"${process.execPath}" "${main}" products export --store ${store.domain} | head -n 1`;
    const { PATH = '' } = process.env;
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-o', 'pipefail', '-c', command], {
      env: { PATH, ...env() },
    });
    expect(stdout).toContain('Plane 0');
    expect(stderr).toBe('');
  });
});
