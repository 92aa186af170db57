#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=30 --max-old-space-size=1024
// The command `tenon`: of the package as it was built, or of the sources in a clone.
import { existsSync } from 'node:fs';

const source = new URL('../src/main.ts', import.meta.url);
if (existsSync(source)) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
} else {
  await import('../dist/main.js');
}
