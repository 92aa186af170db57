import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { freePort } from './free-port.ts';

export interface TestRedis {
  readonly url: string;
  /** Ends the server as kill -9 does. A server from REDIS_URL keeps running. */
  stop(): Promise<void>;
}

const installed = !spawnSync('redis-server', ['--version']).error;

/** Looks for a Redis. Under CI=true there must be one, so that its tests fail and don't go missing. */
export const redisAvailable = installed || process.env['REDIS_URL'] !== undefined || process.env['CI'] === 'true';
if (!redisAvailable) console.warn('SKIPPED: the tests on Redis. Install redis-server or set REDIS_URL.');

/** An own redis-server that keeps nothing, on this port or a free one. */
export const startRedis = async (port?: number): Promise<TestRedis & { readonly port: number; readonly pid: number }> => {
  const at = port ?? (await freePort());
  const server = spawn('redis-server', ['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => {
      reject(new Error(`redis-server ended with ${String(code)}`));
    });
    server.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections')) resolve();
    });
  });
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  return { url: `redis://127.0.0.1:${at}`, port: at, pid: server.pid ?? 0, stop };
};

/** REDIS_URL where it is set, an own server elsewhere. */
export const openRedis = async (): Promise<TestRedis> => {
  const url = process.env['REDIS_URL'];
  return url === undefined ? await startRedis() : { url, stop: () => Promise.resolve() };
};
