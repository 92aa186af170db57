import { readFileSync, readdirSync } from 'node:fs';

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

/** Reads the kernel's file on a process; nothing once it has ended. */
const kernelFile = (pid: number, file: 'stat' | 'status'): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

/**
 * Parses the fields after the name, which may hold anything: state, parent, ... The parent counts
 * the time of an ended process.
 */
const statOf = (pid: number): string[] => {
  const stat = kernelFile(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const sum = (fields: readonly (string | undefined)[]): number => fields.reduce((total, field) => total + Number(field ?? 0), 0);

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => statOf(child)[1] === String(pid));

/**
 * Milliseconds of processor time of a process, with those of its children that run and that have
 * ended. Says what wall clocks of a busy machine don't.
 */
export const cpuMs = (pid: number): number =>
  TICK_MS * (sum(statOf(pid).slice(11, 15)) + sum(childrenOf(pid).map((child) => String(sum(statOf(child).slice(11, 15))))));

/** Resident memory of a process in MB; NaN once it has ended. */
export const rssMb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(kernelFile(pid, 'status'))?.[1] ?? NaN) / 1024;

/** The largest of a process and its children, in MB. */
export const largestRssMb = (pid: number): number =>
  Math.max(...[pid, ...childrenOf(pid)].map(rssMb).filter((rss) => !Number.isNaN(rss)));
