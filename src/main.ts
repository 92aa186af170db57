import { EXIT } from './adapters/cli/failure.ts';
import { runTenon } from './adapters/cli/run.ts';

/** Nobody reads the output any more, as after `| head`. What stops by itself on a signal does so; anything else ends here. */
const onBrokenPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(EXIT.done);
};
for (const output of [process.stdout, process.stderr]) output.on('error', onBrokenPipe);

process.exitCode = await runTenon(process.argv.slice(2), process);
