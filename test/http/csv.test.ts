import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { toUtf8 } from '../../src/adapters/http/import/charset.ts';
import { charsetOf } from '../../src/domain/values/charset.ts';
import { cellsOf, type CsvOptions } from '../../src/adapters/http/import/csv-records.ts';
import { RowFramer, ROW_LIMITS } from '../../src/adapters/http/import/csv-rows.ts';
import { readCsv } from '../../src/adapters/http/import/csv.ts';
import { countingTurns, inChunks } from '../support/turns.ts';

type Found = { line: number; cells: readonly string[]; faults: readonly string[] } | { line: number; message: string };

const read = async (file: string | Buffer, options: Partial<CsvOptions> = {}, chunk = 1 << 16): Promise<Found[]> => {
  const { charset = 'utf-8', limits = ROW_LIMITS } = options;
  const items: Found[] = [];
  const bytes = toUtf8(inChunks(Buffer.from(file), chunk), charset);
  for await (const item of readCsv(bytes, { charset, limits })) items.push(item);
  return items;
};

const cells = async (file: string | Buffer, options: Partial<CsvOptions> = {}) =>
  (await read(file, options)).map((item) => ('cells' in item ? item.cells : item.message));
const messages = (items: readonly Found[]) =>
  items.flatMap((item) => ('message' in item ? [[item.line, item.message]] : item.faults.map((fault) => [item.line, fault])));

describe('cells', () => {
  it.each([
    ['"x, y" ,z', ['x, y', 'z']],
    ['"x, y"\t ,"z"  ', ['x, y', 'z']],
    ['"say ""hi""" ,"" ', ['say "hi"', '']],
    [' x ,5" nail', [' x ', '5" nail']],
    ['"one\r\ntwo"  ,z', ['one\r\ntwo', 'z']],
  ])(
    '%j: a quoted cell ends at its quote, with blanks after it or not, and other cells stay unchanged',
    async (row, expected) => {
      expect(await cells(`a,b\r\n${row}\r\n`)).toEqual([['a', 'b'], expected]);
    },
  );

  it.each([
    ['a;b;"c, d, e, f"\n1,5;"2;3";4', ['1,5', '2;3', '4']],
    ['a\tb\t"c, d, e, f"\n1,5\t"2\t3" \t4', ['1,5', '2\t3', '4']],
    ['a,b,"c;d;e;f"\n1;5,2,3', ['1;5', '2', '3']],
  ])('the separator comes from the header, outside quotes: %j', async (file, expected) => {
    expect((await cells(file))[1]).toEqual(expected);
  });

  it('all three kinds of line ends are counted, also between chunks and within quotes', async () => {
    const file = 'a,b\r\n\r\n1,"x\r\ny\rz\n"\r2,y\n\n3,z';
    for (const chunk of [1, 2, 3, 100]) {
      expect((await read(file, {}, chunk)).map(({ line }) => line)).toEqual([1, 3, 7, 9]);
    }
  });
});

describe('a row that cannot be read', () => {
  const limits = { bytes: 64, cells: 5 };

  it('with too many bytes is reported and skipped, and the next rows are read', async () => {
    const file = `a,b\n1,x\n2,${'y'.repeat(100)}\n3,"${'z\n'.repeat(100)}" ,"",\n4,x\n`;
    expect(await cells(file, { limits })).toEqual([
      ['a', 'b'],
      ['1', 'x'],
      'The row is longer than 64 bytes.',
      'The row is longer than 64 bytes. Lines 4 to 104 are skipped.',
      ['4', 'x'],
    ]);
  });

  it('with more cells than the limit or the header is reported', async () => {
    expect(messages(await read('a,b\n1,,,,,\n2,x,,\n3,x,y\n4,x', { limits }))).toEqual([
      [2, 'The row has more than 5 cells.'],
      [4, 'The row has 3 cells, but the header has 2.'],
    ]);
  });

  it('at its real limits: 4 MiB and 1,000 cells', async () => {
    const file = `a,b\n1,${'x'.repeat(4 * 1024 * 1024)}\n2,"${'x'.repeat(4 * 1024 * 1024 - 10)}"\n${','.repeat(1_000)}\n3,x\n`;
    expect((await cells(file)).map((item) => (typeof item === 'string' ? item : item[0]))).toEqual([
      'a',
      'The row is longer than 4194304 bytes.',
      '2',
      'The row has more than 1000 cells.',
      '3',
    ]);
  });

  it('whose quote is never closed is reported with the line of the quote, and the rows after it are read', async () => {
    expect(await cells('a,b\n1,x\n2,"y\n3,"z, z"\n4,x\n')).toEqual([
      ['a', 'b'],
      ['1', 'x'],
      'The quoted cell that opens in line 3 has text after its closing quote. Write a quote within a cell as two quotes.',
      ['3', 'z, z'],
      ['4', 'x'],
    ]);
    expect(await cells('a,b\n"one\nline",x\n2,"y\n3,z\n4,x\n')).toEqual([
      ['a', 'b'],
      ['one\nline', 'x'],
      'The quote that opens in line 4 is never closed.',
      ['3', 'z'],
      ['4', 'x'],
    ]);
  });

  it('whose quote is never closed ends the file if the text after it may not be rows', async () => {
    expect(messages(await read('a,b\n1,x\n2,"one, two\nthree\n\n'))).toEqual([
      [3, 'The quote that opens in line 3 is never closed. The rest of the file, from line 3, could not be read.'],
    ]);
    expect(messages(await read(`a,b\n1,"${'x\n'.repeat(100)}`, { limits }))).toEqual([
      [
        2,
        'The row is longer than 64 bytes. The quote that opens in line 2 is never closed. The rest of the file, from line 2, could not be read.',
      ],
    ]);
  });

  it('with a bare quote in a cell is not split into rows', async () => {
    expect(await cells('a,b\n1,"a "bare" quote\nWood, oak\nend, of it",\n2,x\n')).toEqual([
      ['a', 'b'],
      'The quoted cell that opens in line 2 has text after its closing quote. Write a quote within a cell as two quotes. Lines 2 to 4 are skipped.',
      ['2', 'x'],
    ]);
  });

  it('with blanks before a quote is reported, because its cells would be split', async () => {
    expect(messages(await read('a,b,c\n1, "x, y"\n2,x,y'))).toEqual([
      [2, 'Line 2 has blanks between a separator and a quote. Remove the blanks.'],
    ]);
  });

  it('is the only error if it is the header; so is a missing header', async () => {
    expect(await cells('"a,b\n1,x\n')).toEqual([
      'The names of the columns cannot be read. The quote that opens in line 1 is never closed. The rest of the file, from line 1, could not be read.',
    ]);
    expect(await cells('\n \r\n')).toHaveLength(1);
    expect(await cells('')).toEqual(['The file is empty. Its first line must be the names of the columns.']);
  });
});

describe('charsets', () => {
  it('bytes that are not UTF-8 are reported with their line; U+FFFD is text', async () => {
    const file = Buffer.concat([Buffer.from('a,b\n1,\uFFFD\n2,"x\ny'), Buffer.from([0xe9]), Buffer.from('"\n3,z')]);
    const items = await read(file, {}, 1);
    expect(items[1]).toMatchObject({ cells: ['1', '\uFFFD'], faults: [] });
    expect(messages(items)).toEqual([
      [3, 'Line 4 is not valid UTF-8. If the file has another charset, name it, for example windows-1252.'],
    ]);
    expect(items[3]).toMatchObject({ cells: ['3', 'z'] });
  });

  it.each([
    ['windows-1252', Buffer.from([0x80, 0x92, 0xe9]), '€’é'],
    ['latin1', Buffer.from([0x80, 0xe9]), '€é'],
    ['Shift_JIS', Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'テスト'],
    ['utf-8', Buffer.from('é\uFFFD'), 'é\uFFFD'],
  ])('%s is decoded, also in chunks of one byte', async (label, bytes, text) => {
    const file = Buffer.concat([Buffer.from('a,b\n1,'), bytes]);
    const charset = charsetOf(label) ?? '';
    for (const chunk of [1, 100])
      expect((await read(file, { charset }, chunk))[1]).toMatchObject({ cells: ['1', text], faults: [] });
  });

  it.each(['utf-16le', 'utf-16be'])(
    '%s is decoded with and without a byte-order mark, and half a surrogate pair is reported',
    async (charset) => {
      const encode = (text: string) =>
        charset === 'utf-16le' ? Buffer.from(text, 'utf16le') : Buffer.from(text, 'utf16le').swap16();
      for (const chunk of [1, 3, 100]) {
        expect(await read(encode('\uFEFFa,b\n1,\uFFFD😀\n'), { charset }, chunk)).toMatchObject([
          {},
          { cells: ['1', '\uFFFD😀'], faults: [] },
        ]);
        expect(messages(await read(encode('a,b\n1,\uD83D\n2,x'), { charset }, chunk))).toEqual([
          [2, 'Line 2 is not valid UTF-16' + charset.slice(6).toUpperCase() + '.'],
        ]);
      }
    },
  );

  it('bytes that are invalid in a charset are reported, not replaced', async () => {
    const file = Buffer.concat([Buffer.from('a,b\n1,'), Buffer.from([0x83, 0xff]), Buffer.from(',\n2,x')]);
    expect(messages(await read(file, { charset: 'shift_jis' }))).toEqual([[2, 'Line 2 is not valid SHIFT_JIS.']]);
  });

  it('an unknown charset is not accepted', () => {
    expect([charsetOf('latin-9000'), charsetOf(undefined)]).toEqual([null, 'utf-8']);
  });
});

// Turns of the event loop are counted, not time, so that a busy machine changes nothing.
describe('other requests are served in between', () => {
  const SIZE = 128 * 1024;
  const perTurn = async (file: Buffer, options: Partial<CsvOptions> = {}): Promise<number> => {
    const { turns } = await countingTurns(() => read(file, options, file.length));
    return file.length / turns;
  };

  it.each([
    ['blank lines', 'a,b\n', '\n'],
    ['rows of one cell', 'a,b\n', 'x\n'],
    ['one row of separators', 'a,b\n', ','],
    ['one long cell', 'a,b\n', 'x'],
    ['an unclosed quote', 'a,b\n"', 'x\n'],
    ['doubled quotes', 'a,b\n"', '""'],
    ['bare quotes', 'a,b\n', '"x"x'],
    ['a header without end', '', 'a,'],
  ])('at least once in 64 KB of %s', async (_, start, unit) => {
    const file = Buffer.from(start + unit.repeat(SIZE / unit.length));
    expect(await perTurn(file)).toBeLessThan(64 * 1024);
    expect(await perTurn(file, { charset: 'windows-1252' })).toBeLessThan(64 * 1024);
  });

  it('after at most 512 rows', async () => {
    const rows = 20_000;
    const { turns } = await countingTurns(() => read(Buffer.from(`a,b\n${'x\n'.repeat(rows)}`)));
    expect(rows / turns).toBeLessThan(512);
  });
});

it('after an unclosed quote before many short lines, the number of attempts to continue is bounded', async () => {
  const attempts = vi.spyOn(RowFramer.prototype, 'push');
  try {
    const lines = 100_000;
    const items = await read(`a,b,c\n"${'x,y\n'.repeat(lines)}`, {}, 1 << 20);
    expect(messages(items)).toEqual([[2, expect.stringContaining('The quote that opens in line 2 is never closed.')]]);
    expect(attempts.mock.calls.length).toBeLessThan(lines / 20);
  } finally {
    attempts.mockRestore();
  }
});

describe('any file', () => {
  const limits = { bytes: 40, cells: 4 };
  const byte = fc.constantFrom(...Buffer.from('ab,;\t "\r\n'), 0xff, 0xc3, 0xa9);

  it('gives a report and ends, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(byte, { maxLength: 120 }), fc.integer({ min: 1, max: 20 }), async (bytes, chunk) => {
        const file = Buffer.concat([Buffer.from('a,b\n'), Buffer.from(bytes)]);
        const items = await read(file, { limits }, chunk);
        expect(items).toEqual(await read(file, { limits }));
        expect(items.map(({ line }) => line)).toEqual(items.map(({ line }) => line).sort((a, b) => a - b));
      }),
      { numRuns: 1_000 },
    );
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'b', ',', ';', '\t', ' ', '"', '\r', '\n', 'é', '€'), maxLength: 6 });
  const writeCell = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

  it('with good rows is read as it was written, with any separator and line ends', async () => {
    const rows = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 10 });
    const blanks = fc.constantFrom('', ' ', '  ');
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        blanks,
        async (all, separator, end, blank) => {
          const write = (row: readonly string[]): string => row.map(writeCell).join(blank + separator);
          const file = [write(['h', 'i', 'j']), ...all.map(write)].join(end);
          const found = (await cells(file)).slice(1);
          expect(found).toEqual(all.filter((row) => row.some((cell) => cell.trim() !== '')));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps every good row before and after a bad one', async () => {
    const bad = fc.constantFrom(
      Buffer.from('bad,"never closed'),
      Buffer.from('bad,"a "bare" quote"'),
      Buffer.from('bad,"5" nail'),
      Buffer.from('bad, "blank"'),
      Buffer.from('bad,x,y,z'),
      Buffer.from(`bad,${','.repeat(60)}`),
      Buffer.from(`bad,${'x'.repeat(500)}`),
      Buffer.from([0x62, 0x61, 0x64, 0x2c, 0xff]),
    );
    const good = fc.array(fc.tuple(fc.stringMatching(/^[a-c]{1,4}$/), fc.stringMatching(/^[a-c ,]{0,4}$/)), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(good, bad, good, async (before, wrong, behind) => {
        const lines = (rows: typeof before) => rows.map(([a, b]) => Buffer.from(`${a},${b.includes(',') ? writeCell(b) : b}`));
        const file = [Buffer.from('a,b'), ...lines(before), wrong, ...lines(behind)].flatMap((line) => [line, Buffer.from('\n')]);
        const items = await read(Buffer.concat(file), { limits: { bytes: 400, cells: 50 } });
        expect(items.flatMap((item) => ('cells' in item && item.faults.length === 0 ? [item.cells] : [])).slice(1)).toEqual([
          ...before,
          ...behind,
        ]);
        expect(messages(items).length).toBe(1);
      }),
      { numRuns: 500 },
    );
  });

  it('an empty text has one cell', () => {
    expect(cellsOf('', ',')).toEqual(['']);
  });
});
