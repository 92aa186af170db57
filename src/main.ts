import { EXIT } from './adapters/cli/failure.ts';
import { runTenon } from './adapters/cli/run.ts';

/** EPIPE: a pipe without a reader, as after `| head`. EIO: a terminal that was closed. */
const NOBODY_READS: readonly unknown[] = ['EPIPE', 'EIO'];

/** Streams that stop by themselves on a signal do so. Any other error ends the process. */
const onBrokenOutput = (error: NodeJS.ErrnoException): void => {
  if (!NOBODY_READS.includes(error.code)) throw error;
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(EXIT.done);
};
for (const output of [process.stdout, process.stderr]) output.on('error', onBrokenOutput);

process.exitCode = await runTenon(process.argv.slice(2), process);
