import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { KINDS, type Column } from '../../src/adapters/http/import/shopify-columns.ts';
import { readShopifyCsv } from '../../src/adapters/http/import/shopify-csv.ts';
import { ADMIN_TOKEN, openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { raw } from '../support/raw.ts';

const read = async (bytes: string | Buffer, charset = 'utf-8') => {
  const [documents, faults, notes]: [unknown[], string[], string[]] = [[], [], []];
  for await (const item of readShopifyCsv(Readable.from([Buffer.from(bytes)]), 'EUR', { charset })) {
    if ('about' in item) notes.push(item.about.message);
    else if ('document' in item) documents.push(item.document);
    else faults.push(item.message);
  }
  return { documents, faults, notes };
};
const cell = (column: Column, text: string) => read(`Handle,Title,Variant SKU,${column}\na,A,S,"${text}"\n`);
const columnsOf = (...kinds: string[]) => (Object.keys(KINDS) as Column[]).filter((column) => kinds.includes(KINDS[column]));

describe.each(columnsOf('yesNo'))('the column %s', (column) => {
  it.each(['true', 'FALSE', 'True', '1', '0'])('takes %s', async (word) => {
    expect((await cell(column, word)).faults).toEqual([]);
  });
  it.each(['no', 'yes', 'FALSCH', 'FAUX', '2', '-1', 'constructor'])('has a fault for %s', async (word) => {
    expect(await cell(column, word)).toMatchObject({ documents: [], faults: [`${column} "${word}" must be true or false.`] });
  });
});

it.each([
  ['Published', '0', { status: 'Draft' }],
  ['Published', '1', { status: 'Active' }],
  ['Gift Card', '1', { kind: 'Digital' }],
  ['Variant Requires Shipping', '0', { kind: 'Digital' }],
  ['Variant Requires Shipping', 'TRUE', { kind: 'Physical' }],
] as const)('%s %s is read as the word', async (column, word, document) => {
  expect((await cell(column, word)).documents).toMatchObject([document]);
});

it('a word that no status has is a fault', async () => {
  expect((await cell('Status', 'toString')).faults).toEqual(['Status "toString" must be active, draft, archived or unlisted.']);
});

describe.each(columnsOf('whole'))('a whole number in %s', (column) => {
  it.each(['20', '20.0', '20.00'])('may be %s', async (number) => {
    expect((await cell(column, number)).faults).toEqual([]);
  });
  it.each(['20.5', '20.', '1e3', '20,0'])('is not %s', async (number) => {
    expect((await cell(column, number)).faults).toEqual([`${column} "${number}" must be a whole number.`]);
  });
});

it('20.0 is 20', async () => {
  expect((await cell('Variant Inventory Qty', '20.0')).documents).toMatchObject([{ variants: [{ available: 20 }] }]);
});

describe.each(columnsOf('price', 'amount'))('a number in %s', (column) => {
  it.each(['12,50', '$57.04', '57.04 EUR', '1 234,50'])('%s is refused with a hint at the decimal point', async (number) => {
    expect((await cell(column, number)).faults).toEqual([
      expect.stringMatching(/^Variant .* must be .*\. Write a decimal point and no other signs, such as 12\.50\.$/),
    ]);
  });
  it.each(['abc', '-1', '1e3'])('%s is refused without it', async (number) => {
    expect((await cell(column, number)).faults).toEqual([expect.not.stringContaining('decimal point and')]);
  });
});

describe.each(columnsOf('webUrl'))('an address in %s', (column) => {
  it.each([
    'https://e.com/1.jpg,https://e.com/2.jpg',
    'https://e.com/1.jpg; https://e.com/2.jpg',
    'https://e.com/1 https://e.com/2',
  ])('is one: %s', async (addresses) => {
    expect((await cell(column, addresses)).faults).toEqual([expect.stringContaining('The cell has several addresses')]);
  });
  it.each(['https://e.com/fetch/f_auto,q_1/https://e.com/1.jpg', 'https://e.com/?u=https://e.com/2', 'https://e.com/a,b.jpg'])(
    'may have another within it: %s',
    async (address) => {
      expect((await cell(column, address)).faults).toEqual([]);
    },
  );
  it('says how a blank is written', async () => {
    expect((await cell(column, 'https://e.com/a b.jpg')).faults).toEqual([expect.stringContaining('Write %20 for a blank.')]);
  });
});

describe('option values without an option name', () => {
  it.each([
    ['without the column', 'Handle,Title,Option1 Value\na,A,S\na,,M', 1],
    ['in blank cells', 'Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value\na,A,Size,S,,red\na,,,M,,blue', 2],
  ])('are a fault: %s', async (_, file, number) => {
    const option = `Option${String(number)}`;
    expect(await read(file)).toMatchObject({
      documents: [],
      faults: [
        `${option} Value has values, and no row of the product has an ${option} Name. Name the option. Nothing of a is imported.`,
      ],
    });
  });
  it('may be missing where Shopify says that the product has no options', async () => {
    expect((await read('Handle,Title,Option1 Value\na,A,Default Title')).faults).toEqual([]);
  });
});

describe('a note tells', () => {
  it('of codes that look damaged, with their columns', async () => {
    const { notes } = await read(
      'Handle,Title,Variant SKU,Variant Barcode\na,A,12E5,3.65275E+11\nb,B,"1,20E+10",4006381333931\nc,C,1E+10,',
    );
    expect(notes).toEqual([
      'Codes such as 3.65E+11 look damaged by a spreadsheet: 3 codes in Variant Barcode, Variant SKU. The first is in line 2.',
    ]);
  });
  it('of an apostrophe that is taken off', async () => {
    const { documents, notes } = await read("Handle,Title,Variant SKU,Variant Barcode\na,A,'0012,'40\n");
    expect(documents).toMatchObject([{ variants: [{ sku: '0012', barcode: '40' }] }]);
    expect(notes).toEqual(['A leading apostrophe is not kept: 2 codes. The first is in line 2.']);
  });
});

describe('a file', () => {
  const TEXT = 'Handle,Title\nä,Ä\n';
  const swapped = Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16();
  it.each([
    ['UTF-16LE', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16BE', swapped],
    ['UTF-8', Buffer.from(`\ufeff${TEXT}`)],
  ])('with the byte-order mark of %s is read so, also if another charset is named', async (_, bytes) => {
    for (const charset of ['utf-8', 'windows-1252'])
      expect(await read(bytes, charset)).toMatchObject({ documents: [{ name: 'Ä' }], faults: [] });
  });

  it.each([
    ["Excel's separator line", 'sep=;\nHandle;Title\na;A\n'],
    ["Excel's separator line, quoted", '"sep=,"\r\nHandle,Title\r\na,A\r\n'],
    ['a last Ctrl-Z', 'Handle,Title\r\na,A\r\n\u001a'],
    ['what is not seen in its header', '\u200bHandle,Title\u00a0\na,A\n'],
  ])('with %s is read', async (_, text) => {
    expect(await read(text)).toMatchObject({ documents: [{ name: 'A' }], faults: [], notes: [] });
  });

  it.each([
    ['a workbook', Buffer.from('504b0304140000000800', 'hex'), 'The file is a workbook (.xlsx, .ods) or another ZIP archive.'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'The file is a workbook (.xls).'],
    ['gzip', gzipSync(TEXT), 'The file is compressed with gzip.'],
    ['a PDF', '%PDF-1.7\n', 'The file is a PDF document.'],
    ['a page', '\ufeff\n<!DOCTYPE html><title>Sign in</title>', 'The file is an HTML or XML document.'],
    ['JSON', '[{"name":"A"}]', 'The file is JSON.'],
    ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le'), 'The file looks like UTF-16 without a byte-order mark.'],
    ['nothing', '', 'The file is empty.'],
  ])('that is %s is named as that', async (_, bytes, message) => {
    expect((await read(bytes)).faults).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ['WooCommerce', 'ID,Typ,Artikelnummer,Name,Veröffentlicht,Sichtbarkeit im Katalog'],
    ['WooCommerce', 'ID,Тип,Артикул,Имя,Видимость в каталоге'],
    ['BigCommerce', 'Item,ID,Name,Type,SKU,Price'],
  ])('of %s is recognised: %s', async (shop, header) => {
    expect((await read(`${header}\n1,2,3`)).faults).toEqual([expect.stringContaining(`a ${shop} export`)]);
  });
});

describe('the report of an import', () => {
  let server: OpenApp;
  let store: TestStore;
  beforeAll(async () => {
    server = await openApp();
    store = await server.aStore();
  });
  afterAll(() => server.close());
  const imported = async (type: string, bytes: string | Buffer) =>
    (await server.admin('post', `/admin/stores/${store.id}/products/import`).type(type).send(bytes).expect(200)).body as object;
  const FREE = 'Active products have a variant with the price 0: 1 product, such as strasse. The first is in line';
  const HANDLES = 'Handles are kept in another form: 1 handle, such as "Straße" as strasse. The first is in line';

  it.each([
    ['CSV', 'text/csv', 'Handle,Title,Status,Variant SKU,Variant Price\nmug,Mug,draft,M,0\nStraße,S,active,S,\n', 3],
    [
      'NDJSON',
      'application/x-ndjson',
      '{"slug":"Straße","name":"S2","status":"Active","variants":[{"sku":"S","currency":"EUR","barcode":"4.0E+12"}]}',
      1,
    ],
  ])('notes changed handles and active products for nothing: %s', async (_, type, text, line) => {
    const damaged = 'Codes such as 3.65E+11 look damaged by a spreadsheet: 1 code in variants.barcode. The first is in line 1.';
    expect(await imported(type, text)).toMatchObject({
      failed: 0,
      notes: [
        ...(type === 'text/csv' ? [] : [{ message: damaged }]),
        { line: 1, message: `${HANDLES} ${String(line)}.` },
        { line: 1, message: `${FREE} ${String(line)}.` },
      ],
    });
  });

  it.each([
    ['a JSON array', '[{"name":"A"}]', 'The file is a JSON array.'],
    ['gzip', gzipSync('{"name":"A"}'), 'The file is compressed with gzip.'],
    ['a page', '<html></html>', 'The file is an HTML or XML document.'],
  ])('names what is not NDJSON: %s', async (_, bytes, message) => {
    expect(await imported('application/x-ndjson', bytes)).toMatchObject({
      ended: 'refused',
      errors: [{ message: expect.stringContaining(message) as string }],
    });
  });

  it.each(['text/csv', 'application/x-ndjson'])(
    'a client that sends a whole workbook before it reads gets its name: %s',
    async (type) => {
      const workbook = Buffer.concat([Buffer.from('504b0304140000000800', 'hex'), Buffer.alloc(10_000_000)]);
      const lines = [
        `POST /admin/stores/${store.id}/products/import HTTP/1.1`,
        'Host: 127.0.0.1',
        `Authorization: Bearer ${ADMIN_TOKEN}`,
      ];
      const head = [...lines, `Content-Type: ${type}`, `Content-Length: ${String(workbook.length)}`, '', ''].join('\r\n');
      const answer = await raw(server.adminUrl, Buffer.concat([Buffer.from(head), workbook]));
      expect(answer).toContain('The file is a workbook');
    },
  );

  it('reads NDJSON over a last Ctrl-Z', async () => {
    expect(await imported('application/x-ndjson', '{"slug":"z","name":"Z"}\r\n\u001a')).toMatchObject({ created: 1, failed: 0 });
  });
});
