import type { CommandContext } from '@stricli/core';

export interface Output {
  /** False when it has taken enough: a stream then says `drain`. */
  readonly write: (data: string | Uint8Array) => unknown;
  readonly once?: (event: 'drain', listener: () => void) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly getColorDepth?: () => number;
}

export interface CliInput extends AsyncIterable<Buffer | string> {
  readonly isTTY?: boolean;
  /** On a terminal: whether each key comes at once, Ctrl-C as a character. */
  readonly setRawMode?: (isRaw: boolean) => unknown;
  readonly destroy?: () => unknown;
}

export interface CliProcess {
  readonly stdin: CliInput;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  exitCode?: number | string | null | undefined;
}

export interface CliContext extends CommandContext {
  /** While a shell completes: the words so far. */
  readonly words?: readonly string[];
  readonly process: CliProcess;
  /**
   * Aborted by Ctrl-C, SIGTERM and a terminal that closes. A command that takes it ends by itself and says what it has done;
   * any other is ended at once.
   */
  readonly interrupted: () => AbortSignal;
}
