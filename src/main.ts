import { helpText } from './adapters/cli/help.ts';
import { start } from './adapters/wiring/start.ts';
import { readConfig } from './adapters/wiring/config.ts';
import { createLogger } from './adapters/node/logger.ts';
import { StartFailure } from './adapters/wiring/start-failure.ts';

const main = async (): Promise<void> => {
  if (process.argv.includes('--help')) {
    process.stdout.write(helpText());
    return;
  }
  const config = readConfig();
  if (!config.ok) throw new StartFailure(config.message);
  const log = createLogger(config.value.LOG_LEVEL);
  const starting = start(config.value, log);
  // Listened for from the beginning: a signal that comes while it starts stops it once it has, and leaves no database behind.
  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    await (await starting).stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal).catch(fail));
  await starting;
};

/** A problem that the operator can fix is one line; anything else is a bug, and its stack helps. */
const fail = (error: unknown): void => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(error instanceof StartFailure ? `tenon: ${error.message}\n` : `${text}\n`);
  process.exit(1);
};

main().catch(fail);
