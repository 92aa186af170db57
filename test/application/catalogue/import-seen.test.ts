import { beforeEach, describe, expect, it } from 'vitest';

import { recordImport } from '../../../src/application/catalogue/record-import.ts';
import { saveProducts, type SaveProducts } from '../../../src/application/catalogue/save-products.ts';
import { NO_COUNTS, type ImportItem, type ImportProgress } from '../../../src/domain/catalogue/product-import.ts';
import { refuse } from '../../../src/domain/result.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const STORE = '00000000-0000-7000-8000-00000000000a';
/** So large that each item is a batch of its own. */
const size = 9 * 1024 * 1024;

let ports: ReturnType<typeof openMemoryPorts>;
const items = async function* (...all: ImportItem[]): AsyncGenerator<ImportItem> {
  for (const item of all) yield await Promise.resolve(item);
};
const one = () => items({ line: 1, document: { name: 'Saw' } });
const listed = () => ports.productImports.list(STORE, { after: null, take: 9 });

beforeEach(async () => {
  ports = openMemoryPorts();
  await ports.stores.create({ id: STORE, domain: 'one.example', name: 'Store', currency: 'EUR' });
});

describe('the record of an import', () => {
  it('is of the owner and has an id of its own, where no request asked for the import', async () => {
    await recordImport(ports, saveProducts(ports))(null, STORE, one());
    expect(await listed()).toMatchObject([
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, by: 'Owner', fileName: null },
    ]);
  });

  it('is brought up to date with the first batch after ten seconds, and again after ten more', async () => {
    const seen: [number, number][] = [];
    const start = ports.clock.now();
    const see: typeof ports.productImports.see = async (_, { read }) => void seen.push([ports.clock.now() - start, read]);
    const slow = async function* (): AsyncGenerator<ImportItem> {
      for (const [at, milliseconds] of [9_999, 1, 9_999, 1, 25_000, 5_000].entries()) {
        ports.clock.advance(milliseconds);
        yield await Promise.resolve({ line: at + 1, size, document: { name: 'Saw' } });
      }
    };
    const save: SaveProducts = async (_, __, documents) => documents.map(() => refuse('invalid', 'Not now.'));
    await recordImport({ ...ports, productImports: { ...ports.productImports, see } }, save)(null, STORE, slow());
    expect(seen).toEqual([
      [10_000, 1],
      [20_000, 3],
      [45_000, 4],
    ]);
  });

  it('is given up after five tries, a second apart, where its end cannot be recorded', async () => {
    const calls: (string | number)[] = [];
    const end = (): Promise<never> => {
      calls.push('end');
      return Promise.reject(new Error('The database is away.'));
    };
    const clock = { ...ports.clock, pause: async (milliseconds: number) => void calls.push(milliseconds) };
    const away = { ...ports, clock, productImports: { ...ports.productImports, end } };
    await recordImport(away, saveProducts(ports))(null, STORE, one());
    expect(calls).toEqual(['end', 1_000, 'end', 1_000, 'end', 1_000, 'end', 1_000, 'end']);
  });
});

describe('a dry run', () => {
  const run = (options: Parameters<ReturnType<typeof recordImport>>[3]) =>
    recordImport(ports, saveProducts(ports))(null, STORE, one(), options);
  it('reports its progress', async () => {
    const progress: ImportProgress[] = [];
    await run({ isDryRun: true, onProgress: (counts) => void progress.push(counts) });
    expect(progress).toEqual([{ ...NO_COUNTS, read: 1, created: 1, nextLine: 2 }]);
    expect(await listed()).toEqual([]);
  });
  it('stops with the server', async () => {
    expect(await run({ isDryRun: true, stopping: AbortSignal.abort() })).toMatchObject({ ended: 'stopped', created: 0 });
  });
});
