import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { judge } from '../../.ci/again.ts';
import type { FailedFile } from '../support/failure-report.ts';

const failed = (project: string | null, file: string | null, ...names: string[]): FailedFile => ({ project, file, names });
const passes = (): boolean => true;
const fails = (): boolean => false;

describe('the judgement of a failed run', () => {
  it('is passed where each file passes alone, and names each test', () => {
    const files = [failed('services', 'a.test.ts', 'x', 'y'), failed('long', 'b.test.ts', 'z')];
    const lines = ['FLAKY services a.test.ts > x', 'FLAKY services a.test.ts > y', 'FLAKY long b.test.ts > z'];
    expect(judge(files, passes)).toEqual({ passed: true, lines });
  });

  it('is failed where one file fails again', () => {
    const files = [failed('services', 'a.test.ts', 'x'), failed('console', 'b.test.ts', 'z')];
    const { passed, lines } = judge(files, ({ file }) => file === 'a.test.ts');
    expect(passed).toBe(false);
    expect(lines).toEqual(['FAILED services a.test.ts > x', 'FAILED console b.test.ts > z']);
  });

  it.each(['unit', 'rules', 'planted', null])('is failed at once where a failure belongs to %s', (project) => {
    const again: string[] = [];
    const files = [failed('services', 'a.test.ts', 'x'), failed(project, 'b.test.ts', 'z')];
    const judged = judge(files, ({ file }) => again.push(String(file)) > 0);
    expect([judged.passed, again]).toEqual([false, []]);
  });

  it('is failed at once where more than five files failed, or none did', () => {
    const files = Array.from({ length: 6 }, (_, n) => failed('services', `${String(n)}.test.ts`, 'x'));
    expect(judge(files, passes).passed).toBe(false);
    expect(judge(files.slice(1), passes).passed).toBe(true);
    expect(judge([], passes).passed).toBe(false);
  });

  it('runs a file once however many entries it has', () => {
    const again: string[] = [];
    judge([failed('long', 'a.test.ts', 'x'), failed('long', 'a.test.ts', 'Unhandled error: y')], ({ file }) => {
      again.push(String(file));
      return fails();
    });
    expect(again).toEqual(['a.test.ts']);
  });
});

const CONFIG = `
import { FailureReport } from '${resolve('test/support/failure-report.ts')}';
export default { test: { reporters: [new FailureReport(process.env.FAILED_TESTS)], projects: [{ test: { name: 'services', include: ['*.test.ts'] } }] } };
`;
const BY_CHANCE = `
import { existsSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';
it('passes the second time', () => {
  const isSecond = existsSync('once');
  writeFileSync('once', '');
  if (!isSecond) throw new Error('by chance');
});
it('always passes', () => undefined);
`;
const REJECTED = `
import { it } from 'vitest';
it('leaves a rejection', async () => {
  void Promise.reject(new Error('nobody waits for it'));
  await new Promise((resolve) => setImmediate(resolve));
});
`;
const SUITE = `
import { beforeAll, describe, it } from 'vitest';
describe('a suite', () => {
  beforeAll(() => { throw new Error('no server'); });
  it('never runs', () => undefined);
});
`;

describe('the report of a real run', () => {
  let folder = '';
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A folder with these test files and Vitest. */
  const suiteOf = (files: Readonly<Record<string, string>>): void => {
    folder = mkdtempSync(join(tmpdir(), 'tenon-again-'));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'vitest.config.ts'), CONFIG);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  };
  const env = () => ({ ...process.env, FAILED_TESTS: join(folder, 'failed.json'), FLAKY_TESTS: join(folder, 'flaky.txt') });
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: folder, env: env(), encoding: 'utf8' });
  const vitest = () => run('npx', 'vitest', 'run');

  it('names failed tests, failed suites and errors that no test awaits, each with its file', () => {
    suiteOf({ 'chance.test.ts': BY_CHANCE, 'rejected.test.ts': REJECTED, 'suite.test.ts': SUITE });
    expect(vitest().status).toBe(1);
    const report = JSON.parse(readFileSync(env().FAILED_TESTS, 'utf8')) as FailedFile[];
    expect(report.toSorted((a, b) => String(a.file).localeCompare(String(b.file)))).toEqual([
      failed('services', 'chance.test.ts', 'passes the second time'),
      failed('services', 'rejected.test.ts', 'Unhandled error: nobody waits for it'),
      failed('services', 'suite.test.ts', 'a suite'),
    ]);
  });

  it('lets a test pass that failed by chance, and notes it', () => {
    suiteOf({ 'chance.test.ts': BY_CHANCE });
    expect(vitest().status).toBe(1);
    expect(run('npx', 'tsx', resolve('.ci/again.ts')).status).toBe(0);
    expect(readFileSync(env().FLAKY_TESTS, 'utf8')).toBe('FLAKY services chance.test.ts > passes the second time\n');
  });

  it('fails where a test fails twice', () => {
    suiteOf({ 'suite.test.ts': SUITE });
    vitest();
    const again = run('npx', 'tsx', resolve('.ci/again.ts'));
    expect(again.status).toBe(1);
    expect(again.stdout).toContain('FAILED services suite.test.ts > a suite');
  });
});
