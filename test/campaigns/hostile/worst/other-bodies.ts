import { listOf, TEXTS, textOf } from './texts.ts';
import type { WorstBody } from './json-bodies.ts';

const lines = (line: (index: number) => string, bytes: number, most = Infinity): string => {
  const all: string[] = [];
  let size = 0;
  for (let index = 0; index < most; index += 1) {
    const next = line(index);
    size += Buffer.byteLength(next) + 1;
    if (size > bytes) break;
    all.push(next);
  }
  return `${all.join('\n')}\n`;
};

const HEADER =
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Status';
/** A file of valid rows: large enough to be measured, and small enough for a run of minutes. */
const WORK_BYTES = 300_000;

const csv = (what: string, text: (bytes: number, attempt: number) => string, isShort = false): WorstBody => ({
  what: `CSV: ${what}`,
  isShort,
  body: (attempt, bytes) => text(bytes, attempt),
});

export const csvBodies = (): WorstBody[] => [
  csv('blank lines', (bytes) => `${HEADER}\n${'\n'.repeat(bytes - HEADER.length)}`, true),
  csv('blank lines that end in CRLF', (bytes) => `${HEADER}\r\n${'\r\n'.repeat(Math.floor(bytes / 2) - HEADER.length)}`),
  csv('lines of one blank', (bytes) => `${HEADER}\n${' \n'.repeat(Math.floor(bytes / 2) - HEADER.length)}`),
  csv('one row of commas', (bytes) => `${HEADER}\n${','.repeat(bytes - HEADER.length)}\n`, true),
  csv('a header of commas', (bytes) => `${','.repeat(bytes)}\na\n`),
  csv('a header of many columns', (bytes) => `${listOf((index) => `c${index}`, bytes / 2)}\n${listOf(() => '1', bytes / 2)}\n`),
  csv('rows of 1,000 commas', (bytes) => `${HEADER}\n${lines(() => ','.repeat(1_000), bytes - HEADER.length)}`),
  csv('rows of 12 commas', (bytes) => `${HEADER}\n${lines(() => ','.repeat(12), bytes - HEADER.length)}`),
  csv('an unclosed quote', (bytes) => `${HEADER}\n"${lines((index) => `a${index},b`, bytes - HEADER.length)}`, true),
  csv('an unclosed quote in each row', (bytes) => `${HEADER}\n${lines((index) => `a${index},"b`, bytes - HEADER.length)}`),
  csv('quotes', (bytes) => `${HEADER}\n${'"'.repeat(bytes - HEADER.length)}`),
  csv('quoted empty cells', (bytes) => `${HEADER}\n${'"",'.repeat(Math.floor(bytes / 3) - HEADER.length)}`),
  csv('text behind a quoted cell', (bytes) => `${HEADER}\n${lines((index) => `"a${index}"x,b`, bytes - HEADER.length)}`),
  csv('blanks behind a quoted cell', (bytes) => `${HEADER}\n"a"${' '.repeat(bytes - HEADER.length)}x\n`),
  csv('rows of one letter', (bytes) => `${HEADER}\n${lines(() => 'a', bytes - HEADER.length)}`),
  csv('one product of very many rows', (bytes) => `${HEADER}\n${lines((index) => `one,${index === 0 ? 'One' : ''}`, bytes)}`),
  csv('one product of very many images', (bytes, attempt) => {
    const image = (index: number) => `one,One,,,,,,,,,,https://images.example.com/${attempt}-${index}.jpg,`;
    return `${HEADER}\n${lines(image, bytes)}`;
  }),
  csv('one product of very many variants', (bytes, attempt) => {
    const variant = (index: number) => `many,Many,,,,,,Size,${attempt}-${index},SKU-${attempt}-${index},1,,`;
    return `${HEADER}\n${lines(variant, bytes)}`;
  }),
  csv('small products', (_bytes, attempt) => {
    const product = (index: number) => `s-${attempt}-${index},S,,,,,,,,S${attempt}-${index},1,,`;
    return `${HEADER}\n${lines(product, WORK_BYTES)}`;
  }),
  csv('a cell of very many tags', (bytes) => `${HEADER}\ntags,Tags,,,,"${listOf((index) => `t${index}`, bytes)}"\n`),
  csv('two products with the same tags, very many', (bytes) => `${HEADER}\ntags,Tags,,,,"${'a,'.repeat(bytes / 2 - 200)}"\n`),
  csv('no line feed at all', (bytes) => 'a'.repeat(bytes)),
  csv('carriage returns alone', (bytes) => `${HEADER}\r${'\r'.repeat(bytes - HEADER.length)}`),
  csv('semicolons', (bytes) => `${HEADER.replaceAll(',', ';')}\n${';'.repeat(bytes - HEADER.length)}\n`),
  csv('tabs', (bytes) => `${HEADER.replaceAll(',', '\t')}\n${'\t\n'.repeat(bytes / 2 - HEADER.length)}`),
  ...TEXTS.filter(({ unit }) => !unit.startsWith('\\')).flatMap((text) => [
    csv(`handles of 40 KB of ${text.what}`, (bytes) => {
      const handle = (index: number) => `"${textOf(text, 40_960)}${index}",Long`;
      return `${HEADER}\n${lines(handle, bytes / 4)}`;
    }),
    csv(`a price of ${text.what}`, (bytes) => `${HEADER}\nprice,Price,,,,,,,,P,"${textOf(text, bytes / 4)}",,\n`),
    csv(`a description of ${text.what}`, (bytes) => `${HEADER}\ntext,Text,"${textOf(text, bytes / 2)}"\n`),
  ]),
];

const ndjson = (what: string, text: (bytes: number, attempt: number) => string, isShort = false): WorstBody => ({
  what: `NDJSON: ${what}`,
  isShort,
  body: (attempt, bytes) => text(bytes, attempt),
});

/** A line of the file may be this long, as an ordinary product's body may. */
const LINE_BYTES = 1_500_000;

/** Lines of no use, and each of the worst bodies of a product as a line. */
export const ndjsonBodies = (documents: readonly WorstBody[]): WorstBody[] => [
  ndjson('line feeds', (bytes) => '\n'.repeat(bytes)),
  ndjson('zeros', (bytes) => '0\n'.repeat(bytes / 2), true),
  ndjson('empty objects', (bytes) => '{}\n'.repeat(bytes / 3), true),
  ndjson('empty arrays', (bytes) => '[]\n'.repeat(bytes / 3)),
  ndjson('blanks', (bytes) => ' '.repeat(bytes)),
  ndjson('lines of one blank', (bytes) => ' \n'.repeat(bytes / 2)),
  ndjson('no line feed at all', (bytes) => 'a'.repeat(bytes)),
  ndjson('an array that never ends', (bytes) => '[0,'.repeat(bytes / 3)),
  ndjson('small products', (_bytes, attempt) =>
    lines((index) => JSON.stringify({ name: 'S', slug: `n-${attempt}-${index}` }), WORK_BYTES),
  ),
  ndjson('the same product again and again', (_bytes, attempt) =>
    lines((index) => JSON.stringify({ name: `S ${attempt} ${index}`, slug: 'same' }), WORK_BYTES),
  ),
  ndjson('products of one name', (_bytes, attempt) => lines(() => JSON.stringify({ name: `Same ${attempt}` }), WORK_BYTES)),
  ...documents.map(({ what, isShort, body }) => ({
    what: `NDJSON, a line: ${what}`,
    ...(isShort !== undefined && { isShort }),
    body: (attempt: number) => `${body(attempt, LINE_BYTES).toString().replaceAll('\n', ' ')}\n`,
  })),
];

const form = (what: string, text: (bytes: number) => string, isShort = false): WorstBody => ({
  what: `form: ${what}`,
  isShort,
  body: (_attempt, bytes) => text(bytes),
});

export const formBodies = (example: string): WorstBody[] => [
  form('fields', (bytes) => `${example}&${'a=1&'.repeat(bytes / 4 - example.length)}`, true),
  form(
    'fields of their own',
    (bytes) => `${example}&${listOf((index) => `k${index}=1`, bytes - example.length - 8).replaceAll(',', '&')}`,
  ),
  form('ampersands', (bytes) => '&'.repeat(bytes)),
  form('equals signs', (bytes) => '='.repeat(bytes)),
  form('plus signs', (bytes) => `client_id=${'+'.repeat(bytes - 20)}`),
  form('escapes', (bytes) => `client_id=${'%41'.repeat(bytes / 3 - 20)}`),
  form('invalid escapes', (bytes) => `client_id=${'%'.repeat(bytes - 20)}`),
  form(
    'a long client id',
    (bytes) => `grant_type=client_credentials&client_secret=x&client_id=tnn_ci_${'a'.repeat(bytes - 100)}`,
  ),
  form('a long client secret', (bytes) => `grant_type=client_credentials&client_id=x&client_secret=${'a'.repeat(bytes - 100)}`),
];
