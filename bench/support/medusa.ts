import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';

import { freePort } from '../../test/support/free-port.ts';
import { openTcpProxy } from '../../test/support/tcp-proxy.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../shops/medusa/', import.meta.url));
const COMMAND = 'node_modules/@medusajs/cli/cli.js';
const PERSON = { email: 'bench@example.com', password: 'the-password-of-a-bench' };

/** A Medusa of its own, and a person who may do everything. */
export interface Medusa {
  readonly pid: number;
  readonly url: string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  post<Answer>(path: string, body: object): Promise<Answer>;
  get<Answer>(path: string): Promise<Answer>;
  stop(): Promise<void>;
}

/** `npm run bench:medusa` has installed it. The database is empty. */
export const startMedusa = async (databaseUrl: string): Promise<Medusa> => {
  if (!existsSync(join(folder, COMMAND))) throw new Error('Medusa is not installed. `npm run bench:medusa` installs it.');
  const { PATH = '', HOME = '' } = process.env;
  const at = (url: string) => ({
    cwd: folder,
    env: { PATH, HOME, NODE_ENV: 'production', DATABASE_URL: url, MEDUSA_DISABLE_TELEMETRY: 'true' },
  });
  // Medusa's migrations know no sockets of Unix.
  const proxy = await openTcpProxy(databaseUrl);
  await run(process.execPath, [COMMAND, 'db:migrate'], at(proxy.url));
  await run(process.execPath, [COMMAND, 'user', '-e', PERSON.email, '-p', PERSON.password], at(proxy.url));
  await proxy.close();
  const port = await freePort();
  const child = spawn(process.execPath, [COMMAND, 'start', '-p', String(port)], {
    ...at(databaseUrl),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    void ended.then(() => reject(new Error('Medusa ended instead of starting')));
    // The log is read to the end: a full pipe would hold Medusa up.
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('Server is ready')) resolve();
    });
  });
  const url = `http://127.0.0.1:${port}`;
  let headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' };
  const ask = async <Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const answer = await request(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`Medusa: ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
    return JSON.parse(text) as Answer;
  };
  const { token } = await ask<{ token: string }>('POST', '/auth/user/emailpass', PERSON);
  headers = { ...headers, authorization: `Bearer ${token}` };
  return {
    pid: child.pid ?? 0,
    url,
    headers,
    post: (path, body) => ask('POST', path, body),
    get: (path) => ask('GET', path),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
