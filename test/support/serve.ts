import { readConfig } from '../../src/adapters/wiring/settings/config.ts';
import { NEVER_EMPTY, withLocalSecrets } from '../../src/adapters/startup/local-secrets.ts';
import { createLogger } from '../../src/adapters/node/logger.ts';
import { startServer } from '../../src/adapters/wiring/serve/server.ts';
import type { Ports } from '../../src/domain/ports/index.ts';

/**
 * Starts the server by its settings over ports that a test has changed, and says where it listens
 * in a line of its log.
 */
export const serve = async (change: (ports: Ports) => Ports): Promise<void> => {
  const parsed = readConfig();
  if (!parsed.ok) throw new Error(parsed.message);
  const config = await withLocalSecrets(parsed.value, NEVER_EMPTY);
  const log = createLogger(config.LOG_LEVEL);
  const { url, adminUrl } = await startServer(config, config.DATABASE_URL ?? '', log, { decorate: change });
  log.info({ url, adminUrl }, 'listening');
};
