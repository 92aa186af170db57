import { describe, expect, it } from 'vitest';

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
    expect(plain('a\u001B[2Jb\tc\nd\u202Ee\u0085')).toBe('a\\u001B[2Jb\\tc\\nd\\u202Ee\\u0085');
    expect(tabbed([{ id: 1, name: 'two\tlines\nhere' }], COLUMNS)).toBe('1\ttwo\\tlines\\nhere\n');
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
