import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import type { FailedFile } from '../test/support/failure-report.ts';

/**
 * `.ci/run` calls this after a run of tests failed. Each failed file of a project that depends on
 * processes and time runs again, alone. If all of them pass, the run counts as passed, and the
 * last lines of `.ci/run` name the failures as FLAKY. A file that fails twice fails the run.
 *
 * FAILED_TESTS is the report of the failed run, and FLAKY_TESTS the file to which the names are added.
 */

/** Tests of the other projects have no I/O, or plant a bug: chance fails none of them. */
const REPEATED: readonly (string | null)[] = ['services', 'console', 'campaigns', 'long', 'citus'];

/** More failures than this are not by chance, and would take too long to repeat. */
const MAX_FILES = 5;

export interface Judgement {
  readonly passed: boolean;
  /** Lines for the end of the run. */
  readonly lines: readonly string[];
}

const place = ({ project, file }: FailedFile): string => `${project ?? 'unknown project'} ${file ?? 'unknown file'}`;

/** Judges the failures of a run; `passesAlone` runs a file again. */
export const judge = (failed: readonly FailedFile[], passesAlone: (file: FailedFile) => boolean): Judgement => {
  const lines = failed.flatMap((file) => file.names.map((name) => `${place(file)} > ${name}`));
  const places = [...new Map(failed.map((file) => [place(file), file])).values()];
  const mayBeChance =
    places.length > 0 && places.length <= MAX_FILES && places.every(({ project }) => REPEATED.includes(project));
  const passed = mayBeChance && places.every(passesAlone);
  return { passed, lines: lines.map((line) => `${passed ? 'FLAKY' : 'FAILED'} ${line}`) };
};

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const passesAlone = ({ project, file }: FailedFile): boolean => {
  process.stdout.write(`\n=== again, alone: ${String(project)} ${String(file)}\n`);
  const args = ['vitest', 'run', '--project', String(project), String(file)];
  return spawnSync('npx', args, { stdio: 'inherit' }).status === 0;
};

const main = (): void => {
  const failed = JSON.parse(readFileSync(required('FAILED_TESTS'), 'utf8')) as FailedFile[];
  const { passed, lines } = judge(failed, passesAlone);
  process.stdout.write(`\n${lines.join('\n')}\n`);
  if (passed) appendFileSync(required('FLAKY_TESTS'), `${lines.join('\n')}\n`);
  else process.exitCode = 1;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
