import { OWNER } from '../../domain/identity/operator.ts';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Logger } from 'pino';

import type { ParsedConfig } from './settings/config.ts';
import { warmConsoleFiles } from './serve/console-files.ts';
import { TOKENS } from './ports/tokens.ts';
import { addressesOf, apiProcesses, connectionsOf } from './settings/derived-settings.ts';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';
import { secretsFile, withLocalSecrets } from '../startup/local-secrets.ts';
import { recordServer } from '../startup/server-record.ts';
import { requireAddresses } from '../startup/addresses.ts';
import { openProcesses } from './processes/open-processes.ts';
import { storageAt } from './storage.ts';
import { startServer, type Server } from './serve/server.ts';
import { banner, commandFor } from './banner.ts';
import { startDemo, type Demo } from '../demo/demo.ts';
import { pause } from '../startup/deadline.ts';

export interface Running {
  /**
   * Serves for DRAIN_SECONDS while proxies turn away from it, unless it may work no longer. Then it stops accepting, lets what runs
   * end, and closes. That takes 10 s at most; what still runs then is cut, and rolled back by the database.
   */
  stop(how: { readonly drains: boolean }): Promise<void>;
  /** Resolves to a sentence once this process may work no longer: the schema is too new for it. */
  readonly outdated: Promise<string>;
  /** The text for the person who started the development profile. It holds secrets: never log it. Null in production. */
  readonly greeting: string | null;
}

interface DatabaseServer {
  readonly url: string;
  stop(hurryAfterMs?: number): Promise<void>;
}

const STOP_MS = 9_000;

/**
 * Reports steps that take long on standard error, so that standard output has only the log and the
 * banner.
 */
const progress = (message: string): void => {
  process.stderr.write(`${message}\n`);
};

/** A listener on every address is reached as localhost, which is the demo store's domain. */
const asLocalhost = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|127\.0\.0\.1|\[::\]|\[::1\])/, '//localhost');

/** A listener on every address is reached at this machine's own. Not as localhost: a stranger may listen there on [::1]. */
const asLoopback = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1');

const openDatabaseServer = async (config: ParsedConfig, processes: number, log: Logger): Promise<DatabaseServer> => {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, stop: () => Promise.resolve() };
  return startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    onProgress: progress,
    connections: (1 + processes) * connectionsOf(config),
    onUnexpectedExit: (error) => {
      log.fatal({ err: error }, 'the embedded PostgreSQL ended; start again, nothing committed is lost');
      process.exit(1);
    },
  });
};

const isDatabaseEmpty = async (url: string): Promise<boolean> => {
  const tool = (await storageAt(url)).openTool(url);
  try {
    return await tool.isEmpty();
  } finally {
    await tool.close();
  }
};

/**
 * A statement that waits for a lock outlives its request: it keeps its connection, and so the
 * server, from closing.
 */
const stopWithin = async (server: Server, database: DatabaseServer): Promise<void> => {
  const begun = performance.now();
  await Promise.race([server.stop(), pause(STOP_MS, { isIdle: true })]);
  await database.stop(Math.max(STOP_MS - (performance.now() - begun), 500));
};

/**
 * Starts all of it: the database that is configured or embedded, the secrets of a first start, the
 * listeners and, in the development profile, the demo store. Throws a StartFailure for problems
 * that the operator can fix.
 */
export const start = async (parsed: ParsedConfig, log: Logger): Promise<Running> => {
  await requireAddresses(addressesOf(parsed));
  // Beside the start of PostgreSQL, which takes longer.
  if (parsed.NODE_ENV === 'development') void warmConsoleFiles();
  const processes = apiProcesses(parsed, availableParallelism());
  const database = await openDatabaseServer(parsed, processes, log);
  let demo: Demo | undefined;
  let greeting: string | null = null;
  try {
    const config = await withLocalSecrets(parsed, () => isDatabaseEmpty(database.url));
    const server = await startServer(
      config,
      database.url,
      log,
      processes > 0 ? { openProcesses: openProcesses(processes, database.url) } : {},
    );
    // Without a data directory of its own, a server may have no place to write.
    if (parsed.ADMIN_TOKEN === undefined || parsed.DATABASE_URL === undefined)
      await recordServer(config.DATA_DIR, asLoopback(server.adminUrl));
    log.info({ url: server.url, adminUrl: server.adminUrl, role: config.ROLE }, 'listening');
    if (config.NODE_ENV === 'development' && server.url !== null) {
      const app = server.container.resolve(TOKENS.application);
      demo = await startDemo({ app, url: server.url, log, onProgress: progress });
      const tokenFile = parsed.ADMIN_TOKEN === undefined ? resolve(secretsFile(config.DATA_DIR)) : null;
      const adminUrl = asLoopback(server.adminUrl);
      const code = await app.createConsoleCode(OWNER, null);
      const addresses = {
        url: asLocalhost(server.url),
        adminUrl,
        consoleUrl: code.ok ? `${adminUrl}${code.value.path}` : adminUrl,
        tokenFile,
        adminToken: config.ADMIN_TOKEN,
        command: commandFor(config, adminUrl),
      };
      greeting = banner(addresses, demo.store);
    }
    return {
      greeting,
      outdated: server.container.resolve(TOKENS.generation).outdated,
      stop: async ({ drains }) => {
        await demo?.close();
        if (drains) await server.drain();
        await stopWithin(server, database);
      },
    };
  } catch (error) {
    await demo?.close();
    await database.stop();
    throw error;
  }
};
