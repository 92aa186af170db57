import { describe, expect, it } from 'vitest';

import { environmentReads, sourceFiles, textOf, worldlyReads } from './source.ts';

const core = [...sourceFiles('src/domain'), ...sourceFiles('src/application')];
const outside = sourceFiles('src').filter((file) => !file.startsWith('src/generated/'));

describe('domain and application depend only on their arguments', () => {
  it('reads files of both layers', () => {
    expect(sourceFiles('src/domain').length).toBeGreaterThan(0);
    expect(sourceFiles('src/application').length).toBeGreaterThan(0);
  });

  it.each(core)('%s', (file) => {
    expect(worldlyReads(textOf(file))).toEqual([]);
  });
});

describe('a planted read of the environment, the clock or chance is found', () => {
  it.each([
    ['Date.now', 'export const now = () => Date.now();'],
    ['Date.now', 'export const later = { now: Date\n  .now };'],
    ['new Date()', 'const at = new Date();'],
    ['new Date()', 'const at = new Date;'],
    ['Date()', 'const text = Date();'],
    ['Math.random', 'const dice = Math.random();'],
    ['randomUUID', "import { randomUUID } from 'node:crypto';"],
    ['process', 'if (process.argv.length) start();'],
    ['process', 'const { env } = process;'],
    ['fetch', "await fetch('https://example.org');"],
    ['fetch', 'const get = { fetch };'],
    ['console', "console.log('here');"],
    ['setTimeout', 'setTimeout(() => go(), 1);'],
    ['crypto', 'crypto.getRandomValues(bytes);'],
    ['performance', 'const t = performance.now();'],
  ])('%s in %s', (name, planted) => {
    expect(worldlyReads(planted).map((fault) => fault.replace(/^\d+: /, ''))).toContain(name);
  });

  it.each([
    ['a date of a given value', 'const iso = (ms: number) => new Date(ms).toISOString();'],
    ['a comment', '/** Unlike Date.now() and process.env, this waits for nothing. */ const a = 1;'],
    ['a string', "const text = 'process.env, fetch(, console.log';"],
    ['a method of a port', 'const page = await store.fetch(id); interface Job { process(): void }'],
    ['a property of that name', 'const job = { process: 1 }; const step = job.process;'],
  ])('%s is allowed', (_, innocent) => {
    expect(worldlyReads(innocent)).toEqual([]);
  });
});

describe('only src/adapters/wiring/settings/config.ts reads the environment', () => {
  it.each(outside.filter((file) => file !== 'src/adapters/wiring/settings/config.ts'))('%s', (file) => {
    expect(environmentReads(textOf(file))).toEqual([]);
  });

  it.each([
    ["const port = process.env['PORT'];"],
    ["const port = process['env'].PORT;"],
    ["import { env } from 'node:process';"],
    ['const { env } = process;'],
  ])('a planted %s is found', (planted) => {
    expect(environmentReads(planted)).not.toEqual([]);
  });

  it('process.argv and process.exitCode are not the environment', () => {
    expect(environmentReads('process.exitCode = process.argv.length;')).toEqual([]);
  });
});
