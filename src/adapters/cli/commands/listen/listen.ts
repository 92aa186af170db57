import type { Store } from '../../../http/answers.ts';
import type { Session } from '../../command.ts';
import type { CliInput } from '../../context.ts';
import { EXIT } from '../../failure.ts';
import { timeOfDay } from '../../output/time.ts';
import { isDelivered } from './attempt.ts';
import { createFeed } from './feed.ts';
import { createForwarder } from './forward.ts';
import { writeState, type ListenState } from './state.ts';

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
const listenForKeys = (stdin: CliInput, { again, quit, interrupt }: Keys): (() => void) => {
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

const TYPE_WIDTH = 24;

export interface Listening {
  readonly store: Store;
  readonly target: string;
  readonly types: readonly string[];
  readonly secret: string;
  readonly path: string;
  readonly state: ListenState;
}

export const listen = async ({ api, print, context }: Session, listening: Listening): Promise<void> => {
  const { store, target, types, secret, path } = listening;
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.interrupted(), stopping.signal]);
  const { forward, again, idle } = createForwarder({
    receiver: { url: target, id: listening.state.id, secret },
    signal,
    onAttempt: (attempt, againIn) => {
      const { time, type, eventId, status, error, durationMs } = attempt;
      const outcome = { text: String(status ?? error), style: isDelivered(attempt) ? 'green' : 'red' } as const;
      print.line(attempt, [timeOfDay(time), type.padEnd(TYPE_WIDTH), eventId, outcome, `${String(durationMs)} ms`]);
      if (againIn !== null) print.say(`Retrying in ${String(againIn)} s.`);
    },
  });
  const restore = listenForKeys(context.process.stdin, {
    again,
    quit: () => {
      stopping.abort();
    },
    interrupt: () => {
      // Ctrl-C in a raw terminal exits as the signal does elsewhere.
      context.process.exitCode = EXIT.interrupted;
      stopping.abort();
    },
  });
  try {
    const next = createFeed(api, { storeId: store.id, types, signal, say: print.say });
    let { state } = listening;
    for (let page = await next(state); page !== null; page = await next(state)) {
      const [event] = page.items;
      if (event !== undefined && !(await forward(event))) break;
      if (page.next === state.cursor) continue;
      state = { ...state, cursor: page.next };
      writeState(path, state);
    }
    await idle();
  } finally {
    restore();
  }
};
