import type { Output } from '../context.ts';
import { CommandFailure } from '../failure.ts';

/** Writes the bytes as they come, and no faster than they are read. Throws a CommandFailure when they break off. */
export const pour = async (bytes: AsyncIterable<Uint8Array>, output: Output): Promise<void> => {
  try {
    for await (const chunk of bytes) {
      if (output.write(chunk) === false) await new Promise<void>((resolve) => output.once?.('drain', resolve));
    }
  } catch (error) {
    throw new CommandFailure(`The answer of the server broke off: ${error instanceof Error ? error.message : String(error)}.`);
  }
};
