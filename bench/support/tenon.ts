import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const ADMIN_TOKEN = 'the-admin-token-of-the-bench';
const root = fileURLToPath(new URL('../..', import.meta.url));
const SECRET_KEYS = `bench:${randomBytes(32).toString('base64')}`;

export interface Tenon {
  readonly pid: number;
  /** Of the public listener; empty for a worker. */
  readonly url: string;
  /** A request to the admin listener; throws when it is refused. */
  admin<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  /** The process's resident memory in MB. */
  rss(): number;
  stop(): Promise<void>;
}

interface Started {
  readonly url: string | null;
  readonly adminUrl: string;
}

/** Tenon as `npm start` has it, a process of its own. `BENCH_CPU_PROFILE=<directory>` has it leave a profile there. */
export const startTenon = async (databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Tenon> => {
  const { PATH = '', HOME = '', BENCH_CPU_PROFILE } = process.env;
  const profile = BENCH_CPU_PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${BENCH_CPU_PROFILE}`];
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    ADMIN_TOKEN,
    SECRET_KEYS,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
  };
  const child = spawn(process.execPath, [...profile, '--import', 'tsx', 'src/main.ts'], {
    cwd: root,
    env: { PATH, HOME, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  process.once('exit', () => child.kill());
  const { url, adminUrl } = await new Promise<Started>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const entry = JSON.parse(line) as { msg: string; level: number | string } & Started;
        if (entry.msg === 'listening') resolve(entry);
        // What goes wrong belongs beside the figures.
        else if (/warn|error|fatal|[456]0/.test(String(entry.level))) process.stderr.write(`${line}\n`);
      }
    });
    void ended.then(() => {
      reject(new Error('Tenon ended before it listened'));
    });
  });
  return {
    pid: child.pid ?? 0,
    url: url ?? '',
    admin: async <Answer>(method: string, path: string, body?: object) => {
      const response = await fetch(`${adminUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Answer;
    },
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
