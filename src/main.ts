import { helpText } from './adapters/cli/help.ts';
import { start } from './adapters/cli/start.ts';
import { readConfig } from './adapters/config.ts';
import { withLocalSecrets } from './adapters/node/local-secrets.ts';
import { createLogger } from './adapters/node/logger.ts';
import { StartFailure } from './adapters/start-failure.ts';

const main = async (): Promise<void> => {
  if (process.argv.includes('--help')) {
    process.stdout.write(helpText());
    return;
  }
  const parsed = readConfig();
  if (!parsed.ok) throw new StartFailure(parsed.message);
  const config = await withLocalSecrets(parsed.value);
  const log = createLogger(config.LOG_LEVEL);
  // Listened for from the beginning: a signal that comes while it starts stops it once it has, and leaves no database behind.
  const starting = start(config, log);
  let stopping = false;
  const stop = async (): Promise<void> => {
    await (await starting).stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      log.info({ signal }, 'stopping');
      stop().catch(fail);
    });
  }
  await starting;
};

/** What the operator can mend is one line; anything else is a bug, and its stack helps. */
const fail = (error: unknown): void => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(error instanceof StartFailure ? `tenon: ${error.message}\n` : `${text}\n`);
  process.exit(1);
};

main().catch(fail);
