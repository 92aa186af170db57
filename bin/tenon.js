#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=30 --max-old-space-size=1024
// The command `tenon`: of the package as it was built, or of the sources in a clone.
import './node-version.cjs';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

const [first, ...others] = process.argv.slice(2);

/** A server runs from the sources themselves: its processes start one another, and its log has their lines. */
const isServer = first === 'start';

const run = async () => {
  const source = new URL('../src/main.ts', import.meta.url);
  if (!existsSync(source)) return import('../dist/main.js');
  const { compiledCommand } = await import('../.ci/compiled-command.js');
  const compiled = isServer ? null : await compiledCommand();
  if (compiled !== null) return import(compiled);
  const { register } = await import('tsx/esm/api');
  register();
  return import(source.href);
};

if (others.length === 0 && (first === '--version' || first === '-v')) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  // Node.js 22 and later keep what they compiled from one run to the next.
  module.enableCompileCache?.();
  await run();
}
