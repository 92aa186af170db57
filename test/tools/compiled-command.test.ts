import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { compiledCommand } from '../../.ci/compiled-command.js';

let clone: string;
const source = (name: string, text: string): Promise<void> => writeFile(join(clone, 'src', name), text);
const said = async (): Promise<string> => {
  const main = await compiledCommand(clone);
  if (main === null) throw new Error('not compiled');
  return (await promisify(execFile)(process.execPath, [fileURLToPath(main)])).stdout;
};

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'tenon-clone-'));
  await mkdir(join(clone, 'src'));
  await writeFile(join(clone, 'package-lock.json'), '{}');
  await source(
    'main.ts',
    `import { word } from './word.ts'; process.stdout.write(word + new URL('.', import.meta.url).pathname);`,
  );
  await source('word.ts', `export const word: string = 'one ';`);
});
afterEach(() => rm(clone, { recursive: true, force: true }));

describe('the compiled command of a clone', () => {
  it('is compiled once, and again after a change of any of its sources', async () => {
    expect(await said()).toBe(`one ${clone}/src/`);
    const first = await compiledCommand(clone);
    expect(await compiledCommand(clone)).toBe(first);
    await source('word.ts', `export const word: string = 'another ';`);
    expect(await said()).toBe(`another ${clone}/src/`);
    expect(await compiledCommand(clone)).not.toBe(first);
  });

  it('is not there for sources that cannot be compiled, and is again once they can', async () => {
    await source('word.ts', 'export const word = ;');
    expect(await compiledCommand(clone)).toBeNull();
    await source('word.ts', `export const word = 'correct ';`);
    expect(await said()).toBe(`correct ${clone}/src/`);
  });

  it('keeps no more than the last two', async () => {
    for (const word of ['a', 'bb', 'ccc', 'dddd']) {
      await source('word.ts', `export const word = '${word} ';`);
      await said();
    }
    const kept = await readdir(join(clone, 'node_modules/.cache/tenon-command'));
    expect(kept).toHaveLength(3);
  });
});
