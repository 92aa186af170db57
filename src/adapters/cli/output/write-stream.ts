import type { CliProcess } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { messageOf } from '../../../domain/values/error.ts';

/** Writes the bytes to standard output as they come, and no faster than they are read. Throws a CommandFailure when they break off. */
export const writeStream = async (bytes: AsyncIterable<Uint8Array>, { stdout }: Pick<CliProcess, 'stdout'>): Promise<void> => {
  try {
    for await (const chunk of bytes) {
      if (stdout.write(chunk) === false) await new Promise<void>((resolve) => stdout.once?.('drain', resolve));
    }
  } catch (error) {
    throw new CommandFailure(`The response of the server broke off: ${messageOf(error)}.`);
  }
};
