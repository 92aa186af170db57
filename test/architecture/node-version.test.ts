import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkNode } from '../../src/adapters/wiring/doctor/machine-checks.ts';
import { root, textOf } from './source.ts';

const { engines, scripts } = JSON.parse(textOf('package.json')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};
const LEAST = engines.node.replace('>=', '');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-node-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a command of this repository by a Node.js that says it is of this version. */
const runAs = (version: string, args: readonly string[]) => {
  const fake = join(folder, `${version}.cjs`);
  const versions = `{ value: { ...process.versions, node: ${JSON.stringify(version)} } }`;
  writeFileSync(fake, `Object.defineProperty(process, 'versions', ${versions});`);
  // Without its settings, a server in production ends by itself where the version does not end it.
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production' };
  const run = { cwd: root, encoding: 'utf8', env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', fake, ...args], run);
  return { status, said: stdout + stderr };
};

describe('too old a Node.js', () => {
  const WAYS: readonly (readonly [string, readonly string[]])[] = [
    ['tenon start', ['bin/tenon.js', 'start']],
    ['tenon doctor', ['bin/tenon.js', 'doctor']],
    ['tenon --version', ['bin/tenon.js', '--version']],
    ['npm start', ['--require', './bin/node-version.cjs', 'src/main.ts', 'start']],
  ];
  it.each(WAYS)('is one sentence: %s', (_name, args) => {
    for (const version of ['18.20.8', '20.18.3', '16.0.0'])
      expect(runAs(version, args)).toEqual({
        status: 1,
        said: `tenon: Node.js ${version} is too old. Install ${LEAST} or later.\n`,
      });
  });

  it.each([`${LEAST}.0`, '20.100.0', '22.0.0', '100.1.0'])('is not %s', (version) => {
    expect(runAs(version, ['bin/tenon.js', '--version']).status).toBe(0);
  });

  it('is found before anything else by each script that runs the sources', () => {
    const running = Object.entries(scripts).filter(([, script]) => /\bnode .*(?:--import tsx|dist\/main\.js)/.test(script));
    expect(running.length).toBeGreaterThan(10);
    const late = running.filter(([, script]) => !/\bnode --require \.\/bin\/node-version\.cjs /.test(script));
    expect(late.map(([name]) => name)).toEqual([]);
  });

  it('is the same for the doctor', () => {
    expect(checkNode('v20.18.9')).toMatchObject({ result: 'failed', remedy: `Install Node.js ${LEAST} or later.` });
    expect(checkNode(`v${LEAST}.0`)).toMatchObject({ result: 'ok' });
  });
});
