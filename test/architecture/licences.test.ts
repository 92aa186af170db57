import { describe, expect, it } from 'vitest';

import { dependencies, FILE, licencesText, lockText, refused, unused } from '../../.ci/licences.ts';
import { textOf } from './source.ts';

const all = dependencies(lockText());
const aLock = (license?: string, name = 'thing') =>
  JSON.stringify({ packages: { '': {}, [`node_modules/${name}`]: { version: '1.0.0', ...(license && { license }) } } });
const refusedOf = (lock: string) => refused(dependencies(lock)).map(({ name }) => name);

it('docs/licences.md agrees with package-lock.json; `npm run licences` writes it', async () => {
  expect(textOf(FILE) === (await licencesText(all)), `${FILE} is out of date: run \`npm run licences\` and commit it`).toBe(true);
});

it('every dependency is permissive or has a reason, and every reason is needed', () => {
  expect(all.length).toBeGreaterThan(100);
  expect(refused(all)).toEqual([]);
  expect(unused(all)).toEqual([]);
});

describe('the check refuses', () => {
  it.each(['GPL-3.0-only', 'AGPL-3.0-or-later', 'LGPL-3.0-or-later', 'MIT AND GPL-2.0-only', 'SEE LICENSE IN FILE', undefined])(
    'a package under %s',
    (license) => {
      expect(refusedOf(aLock(license))).toEqual(['thing']);
    },
  );
  it.each(['MIT', '(MIT OR GPL-3.0-only)', 'MIT and ISC', 'Apache-2.0'])('no package under %s', (license) => {
    expect(refusedOf(aLock(license))).toEqual([]);
  });
  it('no package with a stated reason', () => {
    expect(refusedOf(aLock('LGPL-3.0-or-later', '@img/sharp-libvips-linux-x64'))).toEqual([]);
  });
});
