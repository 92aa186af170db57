import { beforeEach, describe, expect, it } from 'vitest';

import { recordImport, sweepProductImports } from '../../../src/application/catalogue/record-import.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { hasFailed, keptErrors, RECORDED_ENDS, type ImportRecord } from '../../../src/domain/catalogue/import-record.ts';
import type { ImportItem } from '../../../src/domain/catalogue/product-import.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const STORE = '00000000-0000-7000-8000-00000000000a';
const REQUEST = '00000000-0000-7000-8000-00000000000b';
const SOURCE = { by: 'Ada', fileName: 'products.csv' };

let ports: ReturnType<typeof openMemoryPorts>;
const run = (items: AsyncIterable<ImportItem>, more: { isDryRun?: boolean; stopping?: AbortSignal } = {}) =>
  recordImport(ports, saveProducts(ports))({ requestId: REQUEST }, STORE, items, { source: SOURCE, ...more });
const listed = async (): Promise<readonly ImportRecord[]> =>
  (await ports.productImports.list(STORE, { after: null, take: 9 })) ?? expect.fail('no store');
const lines = (from: number, to: number): ImportItem[] =>
  Array.from({ length: to - from }, (_, n) => ({ line: from + n + 1, document: { name: `Product ${String(from + n)}` } }));

beforeEach(async () => {
  ports = openMemoryPorts();
  await ports.stores.create({ id: STORE, domain: 'one.example', name: 'Store', currency: 'EUR' });
});

describe('an import of products', () => {
  it('is recorded with who asked for it, what came of it, and its first failures', async () => {
    const items = async function* (): AsyncGenerator<ImportItem> {
      yield* lines(0, 2);
      yield await Promise.resolve({ line: 3, message: 'bad' });
    };
    await run(items());
    const counts = { read: 3, created: 2, updated: 0, unchanged: 0, failed: 1 };
    expect(await listed()).toMatchObject([
      { id: REQUEST, ...SOURCE, ...counts, ended: 'complete', errors: [{ line: 3, message: 'bad' }] },
    ]);
  });

  it('is listed while it runs, with what it has done so far', async () => {
    const items = async function* (): AsyncGenerator<ImportItem> {
      yield* lines(0, 250);
      expect(await listed()).toMatchObject([{ ended: null, read: 0 }]);
      ports.clock.advance(11_000);
      yield* lines(250, 751);
      expect(await listed()).toMatchObject([{ ended: null, read: expect.any(Number) as number }]);
      expect((await listed())[0]?.read).toBeGreaterThan(0);
    };
    await run(items());
    expect(await listed()).toMatchObject([{ ended: 'complete', read: 751 }]);
  });

  it('has broken off when the upload ends early, with what was saved and the failures until then', async () => {
    const items = async function* (): AsyncGenerator<ImportItem> {
      yield { line: 1, message: 'bad' };
      yield* lines(1, 251);
      await Promise.reject(new Error('The client has left.'));
    };
    await expect(run(items())).rejects.toThrow('The client has left.');
    expect(await listed()).toMatchObject([{ ended: 'broken_off', created: 249, failed: 1, errors: [{ line: 1 }] }]);
  });

  it('has broken off when nothing was seen of it for ten minutes, as after a kill', async () => {
    await ports.productImports.begin({ storeId: STORE, id: REQUEST }, SOURCE);
    await sweepProductImports(ports)();
    expect(await listed()).toMatchObject([{ ended: null }]);
    ports.clock.advance(601_000);
    await sweepProductImports(ports)();
    expect(await listed()).toMatchObject([{ ended: 'broken_off' }]);
  });

  describe('where the database is away when it ends', () => {
    const whole = async function* (): AsyncGenerator<ImportItem> {
      yield* lines(0, 2);
      await Promise.resolve();
    };
    const broken = async function* (): AsyncGenerator<ImportItem> {
      yield* lines(0, 2);
      await Promise.reject(new Error('The client has left.'));
    };
    /** Fails to record the end for the first `times`. */
    const away = (times: number): void => {
      const { productImports } = ports;
      let left = times;
      const end: typeof productImports.end = async (...given) => {
        left -= 1;
        if (left >= 0) throw new Error('The database is away.');
        return productImports.end(...given);
      };
      ports = { ...ports, productImports: { ...productImports, end }, clock: { ...ports.clock, pause: async () => undefined } };
    };

    it('is recorded when the database is back', async () => {
      away(2);
      expect(await run(whole())).toMatchObject({ created: 2 });
      expect(await listed()).toMatchObject([{ ended: 'complete', created: 2 }]);
    });
    it('is answered with its report all the same', async () => {
      away(Infinity);
      expect(await run(whole())).toMatchObject({ created: 2, ended: 'complete' });
      expect(await listed()).toMatchObject([{ ended: null }]);
    });
    it('fails with its own error', async () => {
      away(Infinity);
      await expect(run(broken())).rejects.toThrow('The client has left.');
    });
  });

  it('has no record of a dry run', async () => {
    const items = async function* (): AsyncGenerator<ImportItem> {
      yield* lines(0, 2);
      await Promise.resolve();
    };
    expect(await run(items(), { isDryRun: true })).toMatchObject({ created: 2 });
    expect(await listed()).toEqual([]);
  });
});

it('a record keeps the first 20 failures, each cut to 500 characters', () => {
  const errors = Array.from({ length: 30 }, (_, line) => ({ line, message: 'x'.repeat(600) }));
  expect(keptErrors(errors)).toEqual(errors.slice(0, 20).map(({ line }) => ({ line, message: 'x'.repeat(500) })));
});

it.each(RECORDED_ENDS.map((ended) => [ended]))(
  'an import that ended as %s failed, unless it is complete without failures',
  (ended) => {
    expect(hasFailed({ ended, failed: 0 })).toBe(ended !== 'complete');
    expect(hasFailed({ ended, failed: 1 })).toBe(true);
  },
);
