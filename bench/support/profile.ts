import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Profiler, Runtime } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { built } from '../../test/support/built.ts';

/**
 * Shares of a process's own time, the largest first: by the package that the code is of, and by
 * function.
 */
export interface Profile {
  readonly name: string;
  readonly packages: readonly Share[];
  readonly functions: readonly Share[];
}

export interface Share {
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
}

const MOST = { packages: 12, functions: 20 };
/** `dispatch`: the inspector's own, which writes the profile. */
const NOT_ITS_OWN = new Set(['(idle)', 'dispatch']);

let folder: string | undefined;
const names = new Map<number, string>();

/**
 * For `spawn`: the arguments and the environment with which a process can be profiled while
 * profiles are taken, else none.
 */
export const profiling = (): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } =>
  folder === undefined
    ? { args: [], env: {} }
    : { args: ['--import', join(built(), 'bench/support/profiler.js')], env: { BENCH_PROFILES: folder } };

/**
 * From here on counts what these processes do, also where it is said again; nothing where no
 * profiles are taken.
 */
export const beginProfile = (sides: readonly { readonly name: string; readonly pids: readonly number[] }[]): void => {
  if (folder === undefined) return;
  for (const { name, pids } of sides) {
    for (const pid of pids.filter((one) => !names.has(one))) {
      names.set(pid, name);
      process.kill(pid, 'SIGUSR2');
    }
  }
};

const packageOf = (url: string, functionName: string): string => {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  if (url.startsWith('node:')) return 'node';
  const [, module] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  return module ?? 'own';
};

const placeOf = ({ functionName, url }: Runtime.CallFrame): string => {
  if (url === '') return functionName;
  const path = /\/node_modules\/(.*)$/.exec(url)?.[1] ?? /\/((?:src|bench)\/.*)$/.exec(url)?.[1] ?? url;
  return `${functionName === '' ? '(anonymous)' : functionName}, ${path}`;
};

const largest = (times: ReadonlyMap<string, number>, most: number): Share[] => {
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, time]) => ({ name, share: time / total }));
};

/** Sums the samples of a profile, without the time in which the process waited. */
export const sharesOf = (name: string, { nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Profile => {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const packages = new Map<string, number>();
  const functions = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const frame = frames.get(id);
    if (!frame || (frame.url === '' && NOT_ITS_OWN.has(frame.functionName))) continue;
    const add = (to: Map<string, number>, key: string): void => void to.set(key, (to.get(key) ?? 0) + (timeDeltas[at] ?? 0));
    add(packages, packageOf(frame.url, frame.functionName));
    add(functions, placeOf(frame));
  }
  return { name, packages: largest(packages, MOST.packages), functions: largest(functions, MOST.functions) };
};

/** Runs a case again and profiles every process that `beginProfile` names. */
export const profiled = async (run: () => Promise<unknown>): Promise<Profile[]> => {
  const path = mkdtempSync(join(tmpdir(), 'tenon-profiles-'));
  folder = path;
  names.clear();
  try {
    await run();
    return [...names].flatMap(([pid, name]) => {
      const file = join(path, `${pid}.cpuprofile`);
      return existsSync(file) ? [sharesOf(name, JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile)] : [];
    });
  } finally {
    folder = undefined;
    rmSync(path, { recursive: true, force: true });
  }
};
