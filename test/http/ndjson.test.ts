import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { readNdjson, type ReadDocument } from '../../src/adapters/http/import/ndjson.ts';
import { ok } from '../../src/domain/result.ts';
import type { ImportItem } from '../../src/domain/catalogue/product-import.ts';
import type { ProductDocument } from '../../src/domain/catalogue/product.ts';
import { countingTurns, inChunks } from '../support/turns.ts';

const anything: ReadDocument = ({ value }) => ok(value as ProductDocument);

const read = async (text: string | Buffer, maxBytes?: number, chunk = 3): Promise<ImportItem[]> => {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) => bytes.subarray(at * chunk, (at + 1) * chunk));
  const items: ImportItem[] = [];
  for await (const item of readNdjson(Readable.from(chunks), anything, maxBytes === undefined ? {} : { maxBytes }))
    items.push(item);
  return items;
};

describe('readNdjson', () => {
  it('accepts a byte-order mark, Windows line ends, blank lines and a last line without an end', async () => {
    expect(await read('\uFEFF{"name":"A"}\r\n\r\n  \n{"name":"B"}')).toMatchObject([
      { line: 1, document: { name: 'A' } },
      { line: 4, document: { name: 'B' } },
    ]);
  });

  const notesOn = async (...documents: readonly object[]): Promise<string[]> =>
    (await read(documents.map((document) => JSON.stringify(document)).join('\n'))).flatMap((item) =>
      'about' in item ? [item.about.message] : [],
    );

  it('names each member once that is not read, with the name that was probably meant first', async () => {
    const line = { name: 'A', colour: 'red', variants: [{ sku: 's', prise: 1, note: 1 }], translations: { de: { nane: 'B' } } };
    expect(await notesOn(line, line, { naem: 'B' })).toEqual([
      'These members are not read: variants.prise (did you mean price?), translations.nane (did you mean name?), ' +
        'naem (did you mean name?), colour, variants.note.',
    ]);
    // A member that the document has is not what was meant by another.
    expect(await notesOn({ name: 'A', nane: 'B' })).toEqual(['These members are not read: nane.']);
    expect(await notesOn({ name: 'A', tags: ['a '], variants: [{ sku: 's', price: 1 }] })).toEqual([]);
  });

  it('keeps at most a thousand names of members that are not read', async () => {
    const many = (from: number) => Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`${from + n}`.repeat(3), 1]));
    expect(await notesOn(many(10_000), many(20_000))).toEqual([expect.stringMatching(/ and 950 more\.$/)]);
  });

  it('counts the names that lose blanks at their ends, with the first line', async () => {
    const line = { name: ' A', variants: [{ sku: ' kept ' }], description: ' kept ' };
    expect(await notesOn({ name: 'A' }, line, line)).toEqual([
      'Blanks at the ends of names and codes are not kept: 2 texts in name. The first is in line 2.',
    ]);
  });

  it.each([
    ['{"name":', 'not valid JSON'],
    [Buffer.from([0x22, 0xff, 0x22]), 'not valid UTF-8'],
    ['{"name":"a\\u0000b"}', 'NUL'],
    ['{"name":"\\ud800"}', 'surrogate'],
    ['{"name":"a","name":"b"}', 'duplicate key'],
  ])('reports %j with its line and reads the next line', async (bad, text) => {
    const file = Buffer.concat([Buffer.from('{"name":"A"}\n'), Buffer.from(bad), Buffer.from('\n{"name":"C"}\n')]);
    expect(await read(file)).toMatchObject([
      { line: 1 },
      { line: 2, message: expect.stringContaining(text) as string },
      { line: 3, document: { name: 'C' } },
    ]);
  });

  it('reports and skips a line over the limit', async () => {
    expect(await read(`{"name":"${'x'.repeat(100)}"}\n{"name":"B"}`, 50)).toMatchObject([
      { line: 1, message: 'The line is longer than 50 bytes.' },
      { line: 2, document: { name: 'B' } },
    ]);
  });

  it('throws when its source fails', async () => {
    const source = Readable.from(
      (async function* () {
        yield await Promise.resolve(Buffer.from('{"name":"A"}\n'));
        throw new Error('cut');
      })(),
    );
    const drain = async () => {
      for await (const item of readNdjson(source, anything)) expect(item).toMatchObject({ line: 1 });
    };
    await expect(drain()).rejects.toThrow('cut');
  });

  it('decodes text in another charset, and accepts U+FFFD', async () => {
    const items: ImportItem[] = [];
    const latin = Readable.from([Buffer.from('{"name":"caf\xe9"}\n', 'latin1')]);
    for await (const item of readNdjson(latin, anything, { charset: 'windows-1252' })) items.push(item);
    expect([...items, ...(await read('{"name":"\uFFFD"}'))]).toMatchObject([
      { document: { name: 'café' } },
      { document: { name: '\uFFFD' } },
    ]);
  });

  it('reports a line with more than 10,000 different field names before it is parsed, and reads the next line', async () => {
    const names = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`k${at}`, 0]));
    expect(await read(`${JSON.stringify({ name: 'A', names })}\n{"name":"B"}`)).toMatchObject([
      { line: 1, message: 'The line has more than 10000 different field names.' },
      { line: 2, document: { name: 'B' } },
    ]);
  });

  it('reports a line with more than 150,000 values before it is parsed, and reads the next line', async () => {
    const items = await read(`{"name":"A","tags":[${'[],'.repeat(80_000)}1]}\n{"name":"B,[{\\",,"}`, undefined, 1 << 16);
    expect(items).toMatchObject([
      { line: 1, message: 'The line has more than 150000 values.' },
      { line: 2, document: { name: 'B,[{",,' } },
    ]);
  });

  it('accepts more fields than in a body: an exported product with 2,048 variants has about 120,000', async () => {
    const variant = JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${String(at)}`, 0])));
    const items = await read(`{"name":"A","variants":[${Array.from({ length: 2_048 }, () => variant).join(',')}]}\n`);
    expect(items[0]).toMatchObject({ line: 1, document: { name: 'A' } });
  });

  // Turns of the event loop are counted, not time, so that a busy machine changes nothing.
  it.each([
    ['blank lines', '\n'],
    ['short lines', '0\n'],
    ['one long line', 'x'],
  ])('pauses for other requests at least once in 64 KB of %s', async (_, unit) => {
    const file = Buffer.from(unit.repeat((512 * 1024) / unit.length));
    const { turns } = await countingTurns(async () => {
      for await (const item of readNdjson(inChunks(file), anything)) expect(item).toBeDefined();
    });
    expect(file.length / turns).toBeLessThan(64 * 1024);
  });
});
