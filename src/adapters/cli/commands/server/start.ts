import { createLogger } from '../../../node/logger.ts';
import { readConfig } from '../../../wiring/config.ts';
import { start } from '../../../wiring/start.ts';
import { StartFailure } from '../../../wiring/start-failure.ts';
import type { CliContext } from '../../context.ts';
import { EXIT } from '../../failure.ts';

/**
 * Starts the server and runs until a signal. Its signals are listened for from the beginning: one that
 * comes while it starts stops it once it has, and leaves no database behind.
 */
export const startCommand = async ({ interrupted }: CliContext): Promise<void> => {
  const config = readConfig();
  if (!config.ok) throw new StartFailure(config.message);
  const log = createLogger(config.value.LOG_LEVEL);
  const signal = interrupted();
  signal.addEventListener('abort', () => {
    log.info({ signal: signal.reason as string }, 'stopping');
  });
  const running = await start(config.value, log);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await running.stop();
  // Idle connections would keep the process for some seconds.
  process.exit(EXIT.done);
};
