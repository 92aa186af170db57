import { describe, expect, it } from 'vitest';

import { safeStreams } from '../../../src/adapters/cli/output/safe-output.ts';
import { painter, plain } from '../../../src/adapters/cli/output/style.ts';
import { tabbed, table } from '../../../src/adapters/cli/output/table.ts';

const COLUMNS = [
  { name: 'id', of: ({ id }: { id: number }) => id, align: 'right' as const },
  { name: 'name', of: ({ name }: { name: string | null }) => name },
];
const unpainted = painter({ write: () => true }, {});

describe('a table', () => {
  it('aligns its columns, also below wide characters', () => {
    const items = [
      { id: 7, name: '木工' },
      { id: 12, name: null },
    ];
    expect(table(items, COLUMNS, { columns: 80, paint: unpainted })).toBe('ID  NAME\n 7  木工\n12\n');
  });

  it('cuts the widest column where a row is longer than the terminal', () => {
    const [, row = ''] = table([{ id: 1, name: 'x'.repeat(90) }], COLUMNS, { columns: 40, paint: unpainted }).split('\n');
    expect(row).toHaveLength(40);
    expect(row.endsWith('…')).toBe(true);
  });

  it('never cuts the first column, which a person copies', () => {
    const wide = [
      { name: 'id', of: ({ name }: { name: string }) => name },
      { name: 'url', of: ({ name }: { name: string }) => name },
    ];
    const [, row = ''] = table([{ name: 'x'.repeat(36) }], wide, { columns: 50, paint: unpainted }).split('\n');
    expect(row).toBe(`${'x'.repeat(36)}  ${'x'.repeat(11)}…`);
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
  ])('%s', (_, output, env, shown) => {
    expect(painter(output, env)('bold', 'x') !== 'x').toBe(shown);
  });
});
