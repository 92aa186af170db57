import type { Parent } from '../../../cluster/fork.ts';
import { parent } from '../../../cluster/fork.ts';
import { createLogger } from '../../../node/logger.ts';
import { readConfig } from '../../../wiring/config.ts';
import type { ParsedConfig } from '../../../wiring/config.ts';
import { runApiProcess } from '../../../wiring/processes/api-process.ts';
import { start } from '../../../wiring/start.ts';
import { StartFailure } from '../../../wiring/start-failure.ts';
import type { CliContext } from '../../context.ts';
import { EXIT } from '../../failure.ts';

/** An API process, which the primary process forked and stops. A signal to all of them is for the primary. */
const runForked = async (config: ParsedConfig, forkedBy: Parent, { interrupted }: CliContext): Promise<never> => {
  interrupted();
  const log = createLogger(config.LOG_LEVEL, { pid: process.pid });
  try {
    await runApiProcess(config, log, forkedBy);
  } catch (error) {
    log.fatal({ err: error }, 'the API process cannot run');
    process.exit(EXIT.failed);
  }
  process.exit(EXIT.done);
};

/**
 * Starts the server and runs until a signal. Its signals are listened for from the beginning: one that
 * comes while it starts stops it once it has, and leaves no database behind.
 */
export const startCommand = async (context: CliContext): Promise<void> => {
  const config = readConfig();
  if (!config.ok) throw new StartFailure(config.message);
  const forkedBy = parent();
  if (forkedBy !== null) return runForked(config.value, forkedBy, context);
  const log = createLogger(config.value.LOG_LEVEL);
  const signal = context.interrupted();
  signal.addEventListener('abort', () => {
    log.info({ signal: signal.reason as string }, 'stopping');
  });
  const running = await start(config.value, log);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await running.stop();
  // Idle connections would keep the process for some seconds.
  process.exit(EXIT.done);
};
