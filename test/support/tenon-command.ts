import { spawn, type ChildProcess } from 'node:child_process';

import { compiledMain } from './main-process.ts';
import { SETTINGS } from './server.ts';

export interface TenonCommand {
  readonly child: ChildProcess;
  /** How it ended, what it said, and the most memory that it held, in bytes. */
  readonly ended: Promise<{
    readonly status: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly said: string;
    readonly peakBytes: number;
  }>;
}

const PEAK = /^peak (\d+)$/m;
/** Prints the peak of this program: Linux includes the process that began it in its usage. */
const TELL_PEAK = `import { readFileSync } from 'node:fs';
  const peakOfProgram = () => /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
  const peak = process.platform === 'linux' ? peakOfProgram : () => process.resourceUsage().maxRSS;
  process.on('exit', () => console.error('peak ' + peak()));`;

/** Runs `tenon` in a process of its own, with the settings of the tests' servers. */
export const runTenonCommand = (args: readonly string[], env: Readonly<Record<string, string>>): TenonCommand => {
  const [node = '', main = ''] = compiledMain();
  const child = spawn(node, ['--import', `data:text/javascript,${encodeURIComponent(TELL_PEAK)}`, main, ...args], {
    env: { PATH: process.env['PATH'], ...SETTINGS, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  return {
    child,
    ended: new Promise((resolve) => {
      child.on('close', (status, signal) => {
        const peakBytes = Number(PEAK.exec(said)?.[1] ?? 0) * 1024;
        resolve({ status, signal, said: said.replace(PEAK, '').trim(), peakBytes });
      });
    }),
  };
};
