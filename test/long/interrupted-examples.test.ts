import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { withTimeout } from '../../src/adapters/startup/deadline.ts';
import { root } from '../architecture/source.ts';
import { eventually } from '../support/eventually.ts';

/** Programs that start a PostgreSQL, and what they say once it runs. */
const PROGRAMS: readonly (readonly [script: string, says: string])[] = [
  ['example:search-index', 'Press Ctrl-C to stop it'],
  ['example:search-index', 'The store search-'],
  ['tour', 'started for this tour'],
  ['bench -- list --short', ''],
];

const hasScript = spawnSync('script', ['--version']).status === 0;

const descendants = async (folder: string): Promise<string[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,args=']);
  return stdout.split('\n').filter((line) => line.includes(folder));
};

describe.skipIf(!hasScript || process.platform !== 'linux')('a program that a person ends', { timeout: 300_000 }, () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tenon-ended-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const begin = async (script: string, says: string) => {
    const { PATH = '', HOME = '' } = process.env;
    // A terminal of its own, in which npm and the program are one group, as for a person.
    const child = spawn('script', ['-qfec', `npm run ${script}`, '/dev/null'], {
      cwd: root,
      env: { PATH, HOME, TMPDIR: folder, ADMIN_PORT: '0', TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let out = '';
    const ended = once(child, 'exit');
    const said = new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text: Buffer) => {
        out += text.toString();
        if (says !== '' && out.includes(says)) resolve();
      });
      void ended.then(() => reject(new Error(`ended, and said: ${out}`)));
    });
    // The bench says nothing while it begins: its PostgreSQL is looked for.
    if (says === '') await eventually(async () => expect((await descendants(folder)).join('\n')).toContain('postgres -D'));
    else
      await withTimeout(180_000, said, () => {
        throw new Error(`did not say ${says}, but: ${out}`);
      });
    said.catch(() => undefined);
    return {
      child,
      ended: () =>
        withTimeout(90_000, ended, () => {
          throw new Error(`did not end, but said: ${out}`);
        }),
    };
  };

  it.each(PROGRAMS)('leaves no process and no folder after Ctrl-C: npm run %s, at “%s”', async (script, says) => {
    const { child, ended } = await begin(script, says);
    child.stdin.write('\u0003');
    await ended();
    await eventually(async () => expect(await descendants(folder)).toEqual([]));
    expect(readdirSync(folder).filter((name) => name.startsWith('tenon-'))).toEqual([]);
  });

  it('leaves nothing when its terminal closes', async () => {
    const { child, ended } = await begin('example:search-index', 'Press Ctrl-C to stop it');
    child.kill('SIGKILL');
    await ended();
    await eventually(async () => expect(await descendants(folder)).toEqual([]));
    await eventually(() => expect(readdirSync(folder).filter((name) => name.startsWith('tenon-'))).toEqual([]));
  });
});
