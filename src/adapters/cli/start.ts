import type { Logger } from 'pino';

import type { Config } from '../config.ts';
import { TOKENS } from '../container.ts';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';
import { startServer } from '../server.ts';
import { banner } from './banner.ts';
import { createDemoStore } from './demo-store.ts';

export interface Running {
  stop(): Promise<void>;
}

/** Where a person waits, they are told: on standard error, so that standard output holds the log and the banner alone. */
const progress = (message: string): void => {
  process.stderr.write(`${message}\n`);
};

/** A listener on every address is reached as localhost, which is the demo store's domain. */
const asLocalhost = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|127\.0\.0\.1|\[::\]|\[::1\])/, '//localhost');

const openDatabaseServer = async (config: Config, log: Logger): Promise<{ url: string; stop: () => Promise<void> }> => {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, stop: () => Promise.resolve() };
  return startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    onProgress: progress,
    onUnexpectedExit: (error) => {
      log.fatal({ err: error }, 'the embedded PostgreSQL ended; start again, nothing committed is lost');
      process.exit(1);
    },
  });
};

/** Starts all of it: the database that is configured or embedded, the listeners and, in the development profile, the demo store. */
export const start = async (config: Config, log: Logger): Promise<Running> => {
  const database = await openDatabaseServer(config, log);
  try {
    const server = await startServer(config, database.url, log);
    log.info({ url: server.url, adminUrl: server.adminUrl, role: config.ROLE }, 'listening');
    if (config.NODE_ENV === 'development') {
      const demo = await createDemoStore(server.container.resolve(TOKENS.application));
      const addresses = { url: asLocalhost(server.url), adminUrl: asLocalhost(server.adminUrl), adminToken: config.ADMIN_TOKEN };
      process.stdout.write(banner(addresses, demo));
    }
    return {
      stop: async () => {
        await server.stop();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
};
