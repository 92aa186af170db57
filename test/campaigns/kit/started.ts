import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process of Tenon that listens. */
export interface Started {
  readonly pid: number;
  /** Address of the public listener; empty for a worker. */
  readonly url: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Settings. Of the campaign's own environment the process gets PATH and HOME alone. */
  readonly env: Readonly<Record<string, string>>;
  /** Gets each line of the log but that of its listening. Errors are shown by default. */
  readonly onLine?: (line: string) => void;
}

/** Errors belong beside the figures. */
export const tellTrouble = (line: string): void => {
  // Not parsed: under load there are thousands a second, and the time is that of the processes that are measured.
  if (/"level":("(warn|error|fatal)"|[456]0)/.test(line)) process.stderr.write(`${line}\n`);
};

/** Starts Node.js with these arguments, and waits until it listens. It ends with the campaign. */
export const startListening = async ({ args, cwd, env, onLine = tellTrouble }: StartOptions): Promise<Started> => {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, args, { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  const { url, adminUrl } = await new Promise<{ url: string | null; adminUrl: string }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"msg":"listening"')) resolve(JSON.parse(line) as { url: string | null; adminUrl: string });
      else onLine(line);
    });
    void ended.then(() => {
      reject(new Error('a process of Tenon ended before it listened'));
    });
  });
  return {
    pid: child.pid ?? 0,
    url: url ?? '',
    adminUrl,
    stop: async () => {
      process.off('exit', kill);
      child.kill('SIGTERM');
      await ended;
    },
  };
};
