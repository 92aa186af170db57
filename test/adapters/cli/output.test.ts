import { describe, expect, it } from 'vitest';

import { safeStreams } from '../../../src/adapters/cli/output/safe-output.ts';
import { painter, plain } from '../../../src/adapters/cli/output/style.ts';
import { tabbed, table, type TableColumn } from '../../../src/adapters/cli/output/table.ts';
import { relativeTime } from '../../../src/adapters/cli/output/time.ts';

const COLUMNS = [
  { name: 'id', of: ({ id }: { id: number }) => id, align: 'right' as const },
  { name: 'name', of: ({ name }: { name: string | null }) => name },
];
const unpainted = painter({ write: () => true }, {});
const NOW = Date.UTC(2026, 10, 24, 12);
const options = { columns: 80, paint: unpainted, now: NOW, isWide: false };

describe('a table', () => {
  it('aligns its columns, also below wide characters', () => {
    const items = [
      { id: 7, name: '木工' },
      { id: 12, name: null },
    ];
    expect(table(items, COLUMNS, options)).toBe('ID  NAME\n 7  木工\n12\n');
  });

  it('cuts an address between its beginning and its end, which tell it from others', () => {
    const addresses: readonly TableColumn<{ id: number; name: string }>[] = [
      { name: 'id', of: ({ id }) => id, align: 'right' },
      { name: 'name', of: ({ name }) => name, isCutWithin: true },
    ];
    const items = [1, 2].map((id) => ({ id, name: `hooks.example.com/${'x'.repeat(60)}/orders-${String(id)}` }));
    const [, first, second] = table(items, addresses, { ...options, columns: 40 }).split('\n');
    expect([first, second]).toEqual([' 1  hooks.example.com/…xxxxxxxx/orders-1', ' 2  hooks.example.com/…xxxxxxxx/orders-2']);
    const [, wide = ''] = table([{ id: 1, name: '木'.repeat(40) }], addresses, { ...options, columns: 40 }).split('\n');
    expect(wide).toBe(` 1  ${'木'.repeat(9)}…${'木'.repeat(8)}`);
  });

  it('cuts the widest column where a row is longer than the terminal', () => {
    const [, row = ''] = table([{ id: 1, name: 'x'.repeat(90) }], COLUMNS, { ...options, columns: 40 }).split('\n');
    expect(row).toHaveLength(40);
    expect(row.endsWith('…')).toBe(true);
  });

  interface Row {
    readonly id: string;
    readonly at: string;
    readonly url: string;
    readonly count: number;
  }
  const FULL: readonly TableColumn<Row>[] = [
    { name: 'id', of: ({ id }) => id, kind: 'id' },
    { name: 'at', of: ({ at }) => at, kind: 'time', drop: 2 },
    { name: 'url', of: ({ url }) => url },
    { name: 'count', of: ({ count }) => count, align: 'right', drop: 1 },
  ];
  const rows = (count: number): Row[] =>
    Array.from({ length: count }, (_, at) => ({
      id: `01a20e46-980${at}-7000-84e7-8353b6771fdc`,
      at: new Date(NOW - 90_000).toISOString(),
      url: `https://hooks.example.com/${'x'.repeat(80)}`,
      count: 1234,
    }));
  const heads = (columns: number): string | undefined => table(rows(2), FULL, { ...options, columns }).split('\n')[0];

  it('leaves columns out in their order where the terminal is too narrow', () => {
    expect(heads(80)).toMatch(/^ID +AT +URL +COUNT$/);
    expect(heads(40)).toMatch(/^ID +AT +URL$/);
    expect(heads(30)).toMatch(/^ID +URL$/);
  });

  it.each([30, 40, 60, 80, 100])('has no line that is longer than a terminal of %i characters', (columns) => {
    for (const line of table(rows(3), FULL, { ...options, columns }).split('\n'))
      expect(line.length).toBeLessThanOrEqual(columns);
  });

  it('leaves another column out before it cuts one below its least', () => {
    const wider = FULL.map((column) => (column.name === 'url' ? { ...column, least: 40 } : column));
    const [head, row = ''] = table(rows(1), wider, { ...options, columns: 60 }).split('\n');
    expect(head).toMatch(/^ID +URL$/);
    expect(row).toHaveLength(60);
  });

  it('shows times from now, and of an id what tells it apart', () => {
    const [, first = ''] = table(rows(2), FULL, options).split('\n');
    expect(first).toMatch(/^01a20e46-9800 {2}1m ago {2}https.*… {3}1234$/);
    const alike = rows(1).flatMap((row) => [row, { ...row, id: '01a20e46-9800-7001-84e7-8353b6771fdc' }]);
    const cells = table(alike, FULL, options).split('\n').slice(1, 3);
    expect(cells.map((line) => line.split(' ', 1)[0])).toEqual(['01a20e46-9800-7000', '01a20e46-9800-7001']);
  });

  it('shows every column and whole values with --wide, and in a pipe', () => {
    const [row] = rows(1);
    const [, wide = ''] = table(rows(1), FULL, { ...options, columns: 30, isWide: true }).split('\n');
    expect(wide).toBe(`${row?.id}  2026-11-24 11:58:30  ${row?.url}   1234`);
    expect(tabbed(rows(1), FULL)).toBe(`${row?.id}\t${row?.at}\t${row?.url}\t1234\n`);
  });

  it.each([
    [0, 'now'],
    [-59, '59s ago'],
    [-60, '1m ago'],
    [-3_600, '1h ago'],
    [-86_400 * 3, '3d ago'],
    [45, 'in 45s'],
    [-86_400 * 40, '2026-10-15'],
  ])('a time %i seconds from now is %s', (seconds, text) => {
    expect(relativeTime(new Date(NOW + seconds * 1_000).toISOString(), NOW)).toBe(text);
  });

  it('shows the control characters of stored text as escapes, and does not obey them', () => {
    expect(plain('a\u001B[2Jb\tc\nd\u202Ee\u0085\u2028\u2029\u007F\uFDD0')).toBe(
      'a\\u001B[2Jb\\tc\\nd\\u202Ee\\u0085\\u2028\\u2029\\u007F\\uFDD0',
    );
    expect(tabbed([{ id: 1, name: 'two\tlines\nhere' }], COLUMNS)).toBe('1\ttwo\\tlines\\nhere\n');
  });
});

describe('an output', () => {
  const outputOf = (isTTY: boolean) => {
    const written: (string | Uint8Array)[] = [];
    const output = { write: (data: string | Uint8Array) => written.push(data), isTTY };
    const { stdout } = safeStreams({ stdin: process.stdin, stdout: output, stderr: output, env: {} });
    return { stdout, written };
  };
  it('passes lines and tabs and what was painted here, and escapes every other control', () => {
    const { stdout, written } = outputOf(true);
    stdout.write(`${painter(stdout, {})('red', 'a')}\tb\n\u001B]0;PWN\u0007\u001B[31m`);
    expect(written).toEqual(['\u001B[31ma\u001B[39m\tb\n\\u001B]0;PWN\\u0007\\u001B[31m']);
  });
  it('escapes the bytes of a file on a terminal alone, also a character that two chunks share', () => {
    const bytes = Buffer.from('é\u0085\n');
    const [terminal, pipe] = [outputOf(true), outputOf(false)];
    for (const { stdout } of [terminal, pipe]) for (const byte of bytes) stdout.write(Buffer.from([byte]));
    expect(terminal.written.join('')).toBe('é\\u0085\n');
    expect(Buffer.concat(pipe.written as Uint8Array[])).toEqual(bytes);
  });
});

describe('colours', () => {
  const terminal = { write: () => true, isTTY: true };
  it.each([
    ['are shown on a terminal', terminal, {}, true],
    ['are not shown in a file', { write: () => true }, {}, false],
    ['are turned off by NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['are turned off by TERM=dumb', terminal, { TERM: 'dumb' }, false],
    ['are turned on by FORCE_COLOR', { write: () => true }, { FORCE_COLOR: '1' }, true],
    ['are turned off by FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
    ['are turned off by FORCE_COLOR=false', terminal, { FORCE_COLOR: 'false' }, false],
    ['are not turned on by FORCE_COLOR=0', { write: () => true }, { FORCE_COLOR: '0' }, false],
  ])('%s', (_, output, env, shown) => {
    expect(painter(output, env)('bold', 'x') !== 'x').toBe(shown);
  });
});
