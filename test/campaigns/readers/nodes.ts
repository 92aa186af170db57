import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent } from 'undici';

import { built } from '../../support/built.ts';
import { ADMIN_TOKEN, type Node } from './client.ts';
import type { Plant } from './node/plants.ts';
import { CAMPAIGN_SETTINGS } from '../../support/campaign-settings.ts';

const SETTINGS = {
  ...CAMPAIGN_SETTINGS,
  ADMIN_TOKEN,
  LOG_LEVEL: 'info',
};

export interface StartedNode extends Node {
  stop(): Promise<void>;
}

interface Listening {
  readonly url: string;
  readonly adminUrl: string;
}

const CONNECTIONS = 16;

/** Errors are written beside the figures. */
const report = (line: string): void => {
  if (/"level":("(error|fatal)"|[56]0)/.test(line)) process.stderr.write(`${line}\n`);
};

const listening = async (child: ChildProcess): Promise<Listening> => {
  if (!child.stdout) throw new Error('the output of a process is not read');
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then((): never => {
    throw new Error('a process of the campaign ended before it listened');
  });
  const found = new Promise<Listening>((resolve) => {
    lines.on('line', (line) => {
      if (line.includes('"msg":"listening"')) resolve(JSON.parse(line) as Listening);
      else report(line);
    });
  });
  const first = Promise.race([found, ended]);
  ended.catch(() => undefined);
  return first;
};

export interface NodeOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  /** A single process does the background work. */
  readonly role: 'all' | 'api';
  readonly plant: Plant | null;
}

export const startNode = async ({ databaseUrl, folder, role, plant }: NodeOptions): Promise<StartedNode> => {
  const { PATH = '', HOME = '' } = process.env;
  const paths = { DATA_DIR: join(folder, 'data'), MEDIA_STORAGE: join(folder, 'media') };
  const child = spawn(process.execPath, [join(built(), 'test/campaigns/readers/node/main.js')], {
    cwd: built(),
    env: { PATH, HOME, ...SETTINGS, ...paths, DATABASE_URL: databaseUrl, ROLE: role, ...(plant !== null && { PLANT: plant }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  const { url, adminUrl } = await listening(child);
  const agent = new Agent({ connections: CONNECTIONS, headersTimeout: 30_000, bodyTimeout: 30_000 });
  return {
    url,
    adminUrl,
    agent,
    stop: async () => {
      process.off('exit', kill);
      await agent.close();
      child.kill('SIGTERM');
      await ended;
    },
  };
};
