import { Readable } from 'node:stream';

import { runTenon } from '../../src/adapters/cli/run.ts';
import type { Output } from '../../src/adapters/cli/context.ts';

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface RanOptions {
  /** The whole environment of the command: nothing of the tests' own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | AsyncIterable<string>;
  /** All three streams are a terminal. */
  readonly terminal?: boolean;
  /** The width of the terminal; 100 characters by default. */
  readonly columns?: number;
  readonly interrupted?: AbortSignal;
  /** Called with what is written to standard output, as it is. */
  readonly onOut?: (text: string) => void;
}

/** Runs `tenon` with these words in this process, without the process's own streams and environment. */
export const runCommand = async (
  args: readonly string[],
  { env = {}, stdin = '', terminal = false, columns = 100, interrupted = new AbortController().signal, onOut }: RanOptions = {},
): Promise<Ran> => {
  let out = '';
  let err = '';
  const output = (take: (text: string) => void): Output => ({
    write: (data) => {
      take(Buffer.from(data).toString());
    },
    ...(terminal && { isTTY: true, columns }),
  });
  const streams = {
    stdin: Object.assign(Readable.from(typeof stdin === 'string' ? [Buffer.from(stdin)] : stdin), {
      isTTY: terminal,
      setRawMode: () => undefined,
    }),
    stdout: output((text) => {
      out += text;
      onOut?.(text);
    }),
    stderr: output((text) => (err += text)),
    env: { HOME: '/nonexistent', ...env },
  };
  const status = await runTenon(args, streams, () => interrupted);
  return { status, out, err };
};
