import { beforeEach, describe, expect, it } from 'vitest';

import { catalogueLookups } from '../../../src/application/catalogue/lookups.ts';
import { saveIntoStore } from '../../../src/application/catalogue/save-into-store.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { merchantOf, namesOf } from '../../../src/application/catalogue/update-variants.ts';
import { ImportedLines } from '../../../src/domain/catalogue/imported-lines.ts';
import { notFound, ok, refuse } from '../../../src/domain/result.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const STORE = '00000000-0000-7000-8000-00000000000a';
const PRODUCT = '00000000-0000-7000-8000-000000000001';
const variantId = (n: number): string => `00000000-0000-7000-8000-00000000010${String(n)}`;

let ports: ReturnType<typeof openMemoryPorts>;
const lookups = () => catalogueLookups(ports);

beforeEach(async () => {
  ports = openMemoryPorts();
  await ports.stores.create({ id: STORE, domain: 'one.example', name: 'Store', currency: 'EUR' });
  const variants = ['A', 'B', 'C'].map((sku, n) => ({
    ...{ id: variantId(n), sku, currency: 'EUR', price: 10 + n, compareAtPrice: 20 },
    inventory: n === 0 ? [{ available: 3, onHand: 4, reserved: 1 }] : [],
  }));
  await saveProducts(ports)(null, STORE, [{ id: PRODUCT, name: 'Saw', variants }]);
});

describe('the variants with some names', () => {
  const find = async (skus: string[], after: string | null, take: number) => {
    const { value } = await lookups().findVariants(STORE, { ids: [], skus }, after, take);
    return [value.items.map(({ id }) => id), value.next];
  };
  const [FIRST, SECOND, THIRD] = [variantId(0), variantId(1), variantId(2)] as const;
  it.each<[string, string[], string | null, number, [string[], string | null]]>([
    ['a full page says where the next begins', ['A', 'B', 'C'], null, 2, [[FIRST, SECOND], SECOND]],
    ['a page of one says it too', ['A', 'B', 'C'], null, 1, [[FIRST], FIRST]],
    ['the last page has no next', ['A', 'B', 'C'], SECOND, 2, [[THIRD], null]],
    ['a page that is just full has no next', ['A', 'B', 'C'], null, 3, [[FIRST, SECOND, THIRD], null]],
    ['no variant has the name', ['Z'], null, 2, [[], null]],
    ['a page of none begins nowhere', ['A'], null, 0, [[], null]],
  ])('come in pages: %s', async (_, skus, after, take, page) => {
    expect(await find(skus, after, take)).toEqual(page);
  });
});

it('the figures of the variants that an update names are their prices and their stock', async () => {
  expect(await lookups().getVariantFigures(STORE, [{ sku: 'A' }, { id: variantId(1) }])).toEqual(
    ok([
      {
        ...{ id: variantId(0), sku: 'A', price: 10, compareAtPrice: 20 },
        stock: [{ warehouseId: STORE, available: 3, onHand: 4, reserved: 1 }],
      },
      { id: variantId(1), sku: 'B', price: 11, compareAtPrice: 20, stock: [] },
    ]),
  );
});

it('an update names each variant once, by what is given', () => {
  expect(namesOf([{ sku: 'A' }, { id: 'one' }, { sku: 'A' }, { id: 'one', sku: 'B' }])).toEqual({
    ids: ['one'],
    skus: ['A', 'B'],
  });
});

it('a merchant has no installation and may change prices and stock', () => {
  expect(merchantOf(STORE)).toEqual({
    storeId: STORE,
    installationId: null,
    scopes: ['write_products', 'write_inventory'],
  });
});

describe('the list of imports', () => {
  const SOURCE = { by: 'Ada', fileName: null };
  it('is newest first, and says where the next page begins', async () => {
    await ports.productImports.begin({ storeId: STORE, id: 'first' }, SOURCE);
    const at = ports.clock.now() + 1_000;
    ports.clock.advance(1_000);
    await ports.productImports.begin({ storeId: STORE, id: 'second' }, SOURCE);
    const next = { at, id: 'second' };
    expect(await lookups().listProductImports(STORE, { after: null, take: 1 })).toMatchObject({
      value: { items: [{ id: 'second' }], next },
    });
    expect(await lookups().listProductImports(STORE, { after: next, take: 1 })).toMatchObject({
      value: { items: [{ id: 'first' }], next: null },
    });
  });
  it('of a store that does not exist is not found', async () => {
    expect(await lookups().listProductImports('elsewhere', { after: null, take: 1 })).toEqual(notFound('Store'));
  });
});

describe('a save into a store', () => {
  const save = () => saveIntoStore(ports, saveProducts(ports));
  const part = { lines: [1, 2], file: { imported: new ImportedLines(), renamed: new Set<string>() } };
  const documents = [{ name: 'One' }, { name: 'Two' }];

  it('saves while the store exists', async () => {
    expect(await save()(null, STORE, documents)).toMatchObject([{ ok: true }, { ok: true }]);
  });
  it('refuses each document once the store is gone, and lets the file be read on', async () => {
    let decided = 0;
    const refused = refuse('invalid', 'Store not found.');
    const onDecided = (): void => void (decided += 1);
    expect(await save()(null, 'gone', documents, { ...part, onDecided })).toEqual([refused, refused]);
    expect(decided).toBe(1);
  });
  it.each([
    ['in a part that nobody waits for', part],
    ['in no part', undefined],
  ])('refuses likewise %s', async (_, given) => {
    expect(await save()(null, 'gone', [{ name: 'One' }], given)).toEqual([refuse('invalid', 'Store not found.')]);
  });
});
