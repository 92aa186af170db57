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
  const running = await start(config, log);
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      log.info({ signal }, 'stopping');
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, 'the stop failed');
          process.exit(1);
        },
      );
    });
  }
};

main().catch((error: unknown) => {
  // What the operator can mend is one line; anything else is a bug, and its stack helps.
  process.stderr.write(
    error instanceof StartFailure
      ? `tenon: ${error.message}\n`
      : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
