import { beforeEach, describe, expect, it } from 'vitest';

import { exportProducts } from '../../../src/application/catalogue/export-products.ts';
import { exportWholeProducts } from '../../../src/application/catalogue/export-whole-products.ts';
import type { Reading } from '../../../src/application/catalogue/product-pages.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const ids = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => idOf(from + n));

let ports: ReturnType<typeof openMemoryPorts>;
let asked: number[];

beforeEach(async () => {
  ports = openMemoryPorts();
  asked = [];
  await saveProducts(ports)(
    null,
    'store',
    ids(0, 60).map((id) => ({ id, name: 'Saw' })),
  );
});

describe('an export of whole products', () => {
  const read = async (reading: Reading): Promise<string[]> => {
    const { page } = ports.productExporter;
    const productExporter: typeof ports.productExporter = {
      page: (storeId, after, take) => {
        asked.push(take);
        return page(storeId, after, take);
      },
    };
    const found: string[] = [];
    for await (const { id } of exportWholeProducts({ productExporter })('store', reading)) found.push(id);
    return found;
  };

  it.each<[string, Reading, string[], number[]]>([
    ['all, in pages of 50', {}, ids(0, 60), [50, 50, 50]],
    ['no more than the limit, and asks for no page after it', { limit: 55 }, ids(0, 55), [50, 5]],
    ['one page that is the limit', { limit: 50 }, ids(0, 50), [50]],
    ['nothing for a limit of 0', { limit: 0 }, [], []],
  ])('reads %s', async (_, reading, found, pages) => {
    expect(await read(reading)).toEqual(found);
    expect(asked).toEqual(pages);
  });
  it('continues after a place', async () => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    expect(await read({ after: { createdAt, id: idOf(57) } })).toEqual(ids(58, 60));
  });
});

it.each([
  ['whole products', (check: () => Promise<void>) => exportWholeProducts(ports)('store', { check })],
  ['documents', (check: () => Promise<void>) => exportProducts(ports)('store', check)],
])('an export of %s ends where its reader may have no more', async (_, exported) => {
  let left = 1;
  const check = async (): Promise<void> => {
    left -= 1;
    if (left < 0) await Promise.reject(new Error('The token was revoked.'));
  };
  const found: unknown[] = [];
  const reading = async (): Promise<void> => {
    for await (const product of exported(check)) found.push(product);
  };
  await expect(reading()).rejects.toThrow('The token was revoked.');
  expect(found).toHaveLength(50);
});
