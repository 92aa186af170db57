import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { startListening, tellTrouble } from '../../test/campaigns/kit/started.ts';
import { built } from '../../test/support/built.ts';
import { rssMb } from './process.ts';
import { profiling } from './profile.ts';

export const ADMIN_TOKEN = 'the-admin-token-of-the-bench';
/** A ceiling checks client secrets as Tenon keeps them. */
export const SECRET_KEYS = `bench:${randomBytes(32).toString('base64')}`;

export interface Tenon {
  readonly pid: number;
  /** Address of the public listener; empty for a worker. */
  readonly url: string;
  readonly adminUrl: string;
  readonly adminHeaders: Readonly<Record<string, string>>;
  /** A request to the admin listener; throws when it is refused. */
  admin<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  /** The process's resident memory in MB. */
  rss(): number;
  stop(): Promise<void>;
}

/** How `npm run start:built` has node keep its heap: what is measured is what is run. */
const heapFlags = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(built(), 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  return scripts['start:built']?.match(/--(?:max|heap)-\S+/g) ?? [];
};

/** A compiled Tenon: the folder it starts in, and its file there. */
export interface Program {
  readonly cwd: string;
  readonly main: string;
}

/** Another checkout, in which `npm run build` was run. */
export const builtIn = (cwd: string): Program => ({ cwd, main: 'dist/main.js' });

/**
 * Tenon as `npm run start:built` has it after `npm run build`, a process of its own: this checkout by
 * default. `onLine` gets each line of its log but that of its listening.
 */
export const startTenon = async (
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  onLine = tellTrouble,
  { cwd, main }: Program = { cwd: built(), main: 'src/main.js' },
): Promise<Tenon> => {
  const profile = profiling();
  const settings = {
    NODE_ENV: 'production',
    DRAIN_SECONDS: '0',
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    ADMIN_TOKEN,
    SECRET_KEYS,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    MEDIA_ALLOWED_CIDRS: '127.0.0.0/8',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '10000000',
    TOKEN_RATE_LIMIT_PER_SECOND: '1000000',
    TOKEN_RATE_LIMIT_BURST: '10000000',
    TOKEN_APP_RATE_LIMIT_PER_SECOND: '1000000',
    TOKEN_APP_RATE_LIMIT_BURST: '10000000',
    TOKEN_ADDRESS_RATE_LIMIT_PER_SECOND: '1000000',
    FAILED_TOKEN_RATE_LIMIT_PER_SECOND: '1000000',
    FAILED_TOKEN_RATE_LIMIT_BURST: '1000000',
  };
  const { pid, url, adminUrl, stop } = await startListening({
    args: [...heapFlags(), ...profile.args, main, 'start'],
    cwd,
    env: { ...settings, ...profile.env, ...env },
    onLine,
  });
  const adminHeaders = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  return {
    pid,
    url,
    adminUrl,
    adminHeaders,
    admin: async <Answer>(method: string, path: string, body?: object) => {
      const response = await fetch(`${adminUrl}${path}`, {
        method,
        headers: adminHeaders,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Answer;
    },
    rss: () => rssMb(pid),
    stop,
  };
};
