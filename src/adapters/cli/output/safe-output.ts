import { StringDecoder } from 'node:string_decoder';

import type { CliProcess, Output } from '../context.ts';
import { escaped, ESCAPE_SEQUENCES } from './style.ts';

const KEPT: ReadonlyMap<string, string> = new Map([['\n', '\n'], ['\t', '\t'], ...ESCAPE_SEQUENCES]);

/**
 * The way of every text to a terminal: nothing in it is a command to the terminal but what
 * `painter` painted. Bytes are the data of a file, which only a terminal gets escaped.
 */
const safeOutput = (output: Output): Output => {
  const decoder = new StringDecoder('utf8');
  const write = (data: string | Uint8Array): unknown => {
    if (typeof data === 'string') return output.write(escaped(data, KEPT));
    return output.write(output.isTTY === true ? escaped(decoder.write(Buffer.from(data)), KEPT) : data);
  };
  // Without getColorDepth, Stricli writes no control sequences of its own.
  return {
    write,
    once: (event, listener) => output.once?.(event, listener),
    ...(output.isTTY === true && { isTTY: true }),
    get columns() {
      return output.columns ?? 0;
    },
  };
};

export const safeStreams = ({ stdin, stdout, stderr, env }: CliProcess): CliProcess => ({
  stdin,
  stdout: safeOutput(stdout),
  stderr: safeOutput(stderr),
  env,
});
