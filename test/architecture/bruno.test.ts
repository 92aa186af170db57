import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { brunoFiles, FOLDER } from '../../.ci/bruno.ts';
import { root, textOf } from './source.ts';

it('the Bruno collection is that of docs/openapi.json; `npm run openapi` writes it', () => {
  const written = brunoFiles();
  const committed = readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length).replace(/^\//, ''));
  expect(committed.sort()).toEqual(Object.keys(written).sort());
  for (const [path, text] of Object.entries(written)) expect([path, textOf(path) === text]).toEqual([path, true]);
});
