import { beforeEach, describe, expect, it } from 'vitest';

import { productPages, type PageReading } from '../../../src/application/catalogue/export-products.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';
import { allOf } from '../../support/all-of.ts';

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
  const read = async (reading: PageReading): Promise<string[]> => {
    const { page } = ports.productExporter;
    const productExporter: typeof ports.productExporter = {
      page: (storeId, after, take) => {
        asked.push(take);
        return page(storeId, after, take);
      },
    };
    return (await allOf(productPages({ productExporter })('store', reading))).map(({ id }) => id);
  };

  it.each<[string, PageReading, string[], number[]]>([
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
