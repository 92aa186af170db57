import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

import { root } from './source.ts';

/** The output of `npm run sql` with these arguments. */
const sql = (...args: readonly string[]): { text: string; isFound: boolean } => {
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', '.ci/sql.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { text: stdout, isFound: status === 0 };
};

describe('npm run sql', { timeout: 180_000 }, () => {
  it('prints the statement of the name as PostgreSQL gets it, with the types of its parameters', () => {
    const { text, isFound } = sql('DUE');
    expect(isFound).toBe(true);
    expect(text).toContain('-- $1 storeId: uuid\n-- $2 subscriptionId: uuid\n');
    expect(text).toMatch(/FROM delivery_queue q\s+WHERE q\.store_id = \$1 AND q\.subscription_id = \$2/);
    expect(text).not.toContain('${');
  });

  it('lists the statements of the name where there are several, and prints that of a file', () => {
    const all = sql().text.trim().split('\n');
    const nameOf = (place: string): string => place.replace(/^.*:/, '');
    const several = all.find((place, at) => all.slice(at + 1).some((other) => nameOf(other) === nameOf(place))) ?? '';
    const named = all.filter((place) => nameOf(place) === nameOf(several));
    expect(sql(nameOf(several)).text.trim().split('\n')).toEqual(expect.arrayContaining(named));
    const { text } = sql(several);
    expect(text).not.toContain(several);
    expect(sql(several.replace(/^.*\//, '')).text).toBe(text);
  });

  it('lists all without a name, and fails for a name that no statement has', () => {
    expect(sql().text).toContain('webhooks/queue/due:DUE\n');
    expect(sql('NOTHING').isFound).toBe(false);
  });
});
