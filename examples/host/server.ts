import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';

import { readConfig, type ParsedConfig } from '../../src/adapters/wiring/settings/config.ts';
import { NEVER_EMPTY, withLocalSecrets } from '../../src/adapters/startup/local-secrets.ts';
import { closeOnSignal } from '../../src/adapters/startup/stop-signals.ts';
import { must, ExampleFailure } from './http.ts';
import type { Host } from './merchant.ts';

export interface TenonServer extends Host {
  readonly isOwn: boolean;
  /** Stops the example's own server and removes its data. Leaves any other server alone. */
  stop(): Promise<void>;
}

/** A listener on all addresses is reached by loopback. */
const addressOf = (host: string, port: number): string => {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
};

/** The server that `npm start` started with the same settings; null when none answers. */
const findServer = async (config: ParsedConfig): Promise<TenonServer | null> => {
  if (config.ADMIN_PORT === 0) return null;
  const adminUrl = addressOf(config.ADMIN_HOST, config.ADMIN_PORT);
  const ready = await request(`${adminUrl}/readyz`).catch(() => null);
  if (!ready) return null;
  await ready.body.dump();
  must(ready.statusCode === 200, `the server at ${adminUrl} is not ready: /readyz answered ${ready.statusCode}`);
  const known = config.ADMIN_TOKEN !== undefined || existsSync(join(config.DATA_DIR, 'secrets.json'));
  must(known, `a server answers at ${adminUrl}: set ADMIN_TOKEN to its admin token, or DATA_DIR to its folder`);
  const adminToken = config.ADMIN_TOKEN ?? (await withLocalSecrets(config, NEVER_EMPTY)).ADMIN_TOKEN;
  return { url: addressOf(config.HOST, config.PORT), adminUrl, adminToken, isOwn: false, stop: () => Promise.resolve() };
};

/** The settings of this process; throws an ExampleFailure that names what is not valid. */
const settings = (): ParsedConfig => {
  const config = readConfig();
  if (!config.ok) throw new ExampleFailure(config.message);
  return config.value;
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ADMIN_TOKEN = 'tnn_admin_of_the_examples_alone';

/**
 * Starts src/main.ts on free ports, with the embedded PostgreSQL in a temporary folder. Not in the
 * development profile: an example needs no demo store.
 */
const startServer = async (): Promise<TenonServer> => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'tenon-example-'));
  const { PATH = '', HOME = '' } = process.env;
  const settings = { NODE_ENV: 'test', HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', ADMIN_TOKEN, DATA_DIR };
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', 'start'], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    await rm(DATA_DIR, { recursive: true, force: true });
  };
  // An interrupted example leaves no server and no database behind.
  const forget = closeOnSignal(close);
  const stop = (): Promise<void> => close().finally(forget);
  const listening = new Promise<{ url: string; adminUrl: string }>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"msg":"listening"')) resolve(JSON.parse(line) as { url: string; adminUrl: string });
    });
  });
  const addresses = await Promise.race([listening, exited]);
  if (Array.isArray(addresses)) {
    await stop();
    throw new ExampleFailure('the server ended before it was listening');
  }
  return { ...addresses, adminToken: ADMIN_TOKEN, isOwn: true, stop };
};

/** The server that `npm start` started with the same settings. If none answers, starts one for the example. */
export const openServer = async (): Promise<TenonServer> => (await findServer(settings())) ?? (await startServer());
