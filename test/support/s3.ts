import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './free-port.ts';

interface Server {
  run(): Promise<unknown>;
  readonly httpServer: { close(done: () => void): void; closeAllConnections(): void };
}

/** The package has no types and is a CommonJS module. */
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => Server;

export interface TestS3 {
  readonly endpoint: string;
  /** Where its files are. */
  readonly directory: string;
  close(): Promise<void>;
}

/** Credentials of the server. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/**
 * A server that speaks S3, with these buckets, on a free port; the SDK finds its credentials in the
 * environment until it is closed.
 */
export const startS3 = async (...buckets: string[]): Promise<TestS3> => {
  const directory = await mkdtemp(join(tmpdir(), 'tenon-s3-'));
  const port = await freePort();
  const server = new S3rver({
    ...{ port, directory, address: '127.0.0.1', silent: true },
    configureBuckets: buckets.map((name) => ({ name })),
  });
  await server.run();
  const before = { ...process.env };
  Object.assign(process.env, CREDENTIALS);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    directory,
    close: async () => {
      for (const name of Object.keys(CREDENTIALS)) {
        if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = before[name];
      }
      await new Promise<void>((resolve) => {
        server.httpServer.close(() => {
          resolve();
        });
        server.httpServer.closeAllConnections();
      });
      await rm(directory, { recursive: true, force: true });
    },
  };
};
