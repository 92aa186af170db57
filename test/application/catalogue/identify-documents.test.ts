import { beforeEach, describe, expect, it } from 'vitest';

import { createMemoryPorts } from '../../memory/index.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { identifyDocuments, lockIdentified } from '../../../src/application/catalogue/identify-documents.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { ImportedLines } from '../../../src/domain/catalogue/imported-lines.ts';
import type { ProductDocument } from '../../../src/domain/catalogue/product.ts';
import type { TransactionPorts } from '../../../src/domain/ports/index.ts';

const STORE = 'store';
const [X, Y] = ['00000000-0000-7000-8000-ffffffffff01', '00000000-0000-7000-8000-ffffffffff02'];
const open = () => {
  const [clock, ids] = [manualClock(), sequentialIds()];
  return { ...createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }), clock, ids };
};
let ports: ReturnType<typeof open>;
const put = (id: string, slug: string) => saveProducts(ports)(null, STORE, [{ id, name: 'Saw', slug }]);

/** The id that each document gets. `new 1` is the first one that is made. */
const identified = (documents: Partial<ProductDocument>[], met: string[] = []) => {
  let made = 0;
  const nextId = (): string => {
    made += 1;
    return `new ${made}`;
  };
  return ports.transaction.run(null, (tx) =>
    identifyDocuments(
      tx,
      documents.map((document) => ({ name: 'Saw', ...document })),
      { storeId: STORE, nextId },
      { imported: new ImportedLines(), renamed: new Set(met) },
    ),
  );
};
const idsOf = async (documents: Partial<ProductDocument>[], met?: string[]) =>
  (await identified(documents, met)).map(({ document }) => document.id);

beforeEach(() => {
  ports = open();
});

describe('the product that a document means', () => {
  it('is the one of its id, also when it has another slug', async () => {
    await put(X, 'saw');
    expect(await identified([{ id: X }, { id: Y, slug: 'saw' }])).toEqual([
      { document: { name: 'Saw', id: X }, isNew: false },
      { document: { name: 'Saw', id: Y, slug: 'saw' }, isNew: false },
    ]);
  });
  it('is the one that has its slug, in its folded form', async () => {
    await put(X, 'hand-saw');
    expect(await identified([{ slug: 'Hand Saw' }])).toEqual([
      { document: { name: 'Saw', slug: 'Hand Saw', id: X }, isNew: false },
    ]);
  });
  it('is a new one without an id and a known slug, and each document without a slug means its own', async () => {
    expect(await identified([{ slug: 'saw' }, {}, {}, { slug: '' }, { slug: '☃' }, { slug: '☃' }])).toMatchObject(
      [1, 2, 3, 4, 5, 6].map((n) => ({ document: { id: `new ${n}` }, isNew: true })),
    );
  });
  it('is the same one for two documents of one slug', async () => {
    expect(await identified([{ slug: 'saw' }, { slug: 'SAW' }])).toMatchObject([
      { document: { id: 'new 1' }, isNew: true },
      { document: { id: 'new 1' }, isNew: false },
    ]);
  });
  it('is another one than that of an id beside the slug', async () => {
    expect(await idsOf([{ id: X, slug: 'saw' }, { slug: 'saw' }])).toEqual([X, 'new 1']);
  });
});

describe('the product that gave a slug up', () => {
  beforeEach(async () => {
    await put(X, 'old');
    await put(X, 'now');
  });

  it('is meant by it', async () => {
    expect(await identified([{ slug: 'old' }])).toMatchObject([{ document: { id: X }, isNew: false }]);
  });
  it('is not meant by it once another product has it', async () => {
    await put(Y, 'old');
    expect(await idsOf([{ slug: 'old' }])).toEqual([Y]);
  });
  it.each<[string, Partial<ProductDocument>[], (string | undefined)[], string[]]>([
    ['by its id', [{ slug: 'old' }, { id: X }], ['new 1', X], []],
    ['by its id, before', [{ id: X }, { slug: 'old' }], [X, 'new 1'], []],
    ['by its slug', [{ slug: 'old' }, { slug: 'now' }], ['new 1', X], []],
    ['in an earlier part of the file', [{ slug: 'old' }], ['new 1'], [X]],
  ])('is not meant by it when another document names the product: %s', async (_, documents, ids, met) => {
    expect(await idsOf(documents, met)).toEqual(ids);
  });
  it('is meant by only one of its former slugs', async () => {
    await put(X, 'latest');
    expect(await idsOf([{ slug: 'old' }, { slug: 'now' }, { slug: 'old' }])).toEqual([X, 'new 1', X]);
  });
});

describe('a product whose slug version 0.1 made', () => {
  const variants = [{ sku: 'S', currency: 'EUR' }];
  const save = async (...documents: ProductDocument[]) => {
    const saved = await saveProducts(ports)(null, STORE, documents);
    return saved.map((one) => (one.ok ? [one.value.product.id, one.value.product.slug] : expect.fail(one.message)));
  };
  beforeEach(() => save({ id: X, name: 'Straße', slug: 'stra-e', variants }));

  it.each<[string, ProductDocument]>([
    ['its name', { name: 'Straße', slug: 'straße' }],
    ['a SKU of its own', { name: 'Road', slug: 'straße', variants }],
  ])('is known by %s beside the handle, and keeps its slug', async (_, document) => {
    expect(await save(document)).toEqual([[X, 'stra-e']]);
  });
  it.each<[string, ProductDocument[]]>([
    ['of another name and other SKUs', [{ name: 'Road', slug: 'straße', variants: [{ sku: 'R', currency: 'EUR' }] }]],
    [
      'beside one that names it',
      [
        { name: 'Straße', slug: 'straße' },
        { id: X, name: 'Straße' },
      ],
    ],
  ])('is not meant by a document %s', async (_, documents) => {
    expect((await save(...documents))[0]).toEqual([expect.not.stringContaining(X), 'strasse']);
  });
});

it('the stored products are locked once each, without those whose id was made', async () => {
  await put(X, 'saw');
  const asked: (readonly string[])[] = [];
  const found = await ports.transaction.run(null, async (tx) => {
    const lock: TransactionPorts['products']['lock'] = (storeId, ids) => {
      asked.push(ids);
      return tx.products.lock(storeId, ids);
    };
    const documents = [
      { document: { id: X, name: 'Saw' }, isNew: false },
      { document: { id: X, name: 'Saw' }, isNew: false },
      { document: { id: 'made', name: 'Saw' }, isNew: true },
      { document: { id: Y, name: 'Saw' }, isNew: false },
    ];
    const { before } = await lockIdentified({ ...tx, products: { ...tx.products, lock } }, documents, {
      storeId: STORE,
      nextId: () => 'made',
    });
    return before;
  });
  expect(asked).toEqual([[X, Y]]);
  expect([...found].map(([id, { slug }]) => [id, slug])).toEqual([[X, 'saw']]);
});
