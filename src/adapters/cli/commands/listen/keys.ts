import type { CliInput } from '../../context.ts';

const CTRL_C = '\u0003';

export interface Keys {
  readonly again: () => void;
  readonly quit: () => void;
  readonly interrupt: () => void;
}

/**
 * Listens for `r` and for `q` or Ctrl-C on a terminal, which no longer makes Ctrl-C a signal. Returns the
 * function that gives the terminal its usual ways.
 */
export const listenForKeys = (stdin: CliInput, { again, quit, interrupt }: Keys): (() => void) => {
  if (!stdin.isTTY || !stdin.setRawMode) return () => undefined;
  stdin.setRawMode(true);
  const take = (key: string): void => {
    if (key === 'r') again();
    if (key === 'q') quit();
    if (key === CTRL_C) interrupt();
  };
  const read = async (): Promise<void> => {
    for await (const chunk of stdin) for (const key of chunk.toString()) take(key);
  };
  read().catch(() => undefined);
  return () => {
    stdin.setRawMode?.(false);
    stdin.destroy?.();
  };
};
