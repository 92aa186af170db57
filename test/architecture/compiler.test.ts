import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

import { root } from './source.ts';

// Both packages have a `tsc`. npm links the one whose name sorts first.
it('`tsc` is TypeScript 7, and `typescript` is 6, whose JavaScript API tools and tests use', () => {
  const printed = execFileSync(join(root, 'node_modules/.bin/tsc'), ['--version'], { encoding: 'utf8' });
  expect([printed, ts.versionMajorMinor]).toEqual([expect.stringMatching(/^Version 7\./), '6.0']);
});
