import { messageOf } from '../../domain/values/error.ts';

/** Ctrl-C, a service manager, and a terminal that closes. A terminal signals its whole group, and npm passes the signal on again. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const INTERRUPTED = 130;

type Close = () => Promise<unknown>;

const closes: Close[] = [];
let taken: AbortSignal | undefined;
let ending: Promise<void> | undefined;

/** The last that was opened is closed first. What begins meanwhile is closed as well. */
const closeAll = async (): Promise<void> => {
  for (let close = closes.pop(); close !== undefined; close = closes.pop()) {
    try {
      await close();
    } catch (error) {
      process.stderr.write(`${messageOf(error)}\n`);
    }
  }
};

const onSignal = (): void => {
  if (ending !== undefined) return;
  // The program runs on, and fails for what is closed under it. That must not end the process in the middle.
  process.on('uncaughtException', () => undefined);
  ending = closeAll().finally(() => process.exit(INTERRUPTED));
};

const listen = (): void => {
  for (const name of STOP_SIGNALS) process.on(name, onSignal);
};

const leave = (): void => {
  for (const name of STOP_SIGNALS) process.off(name, onSignal);
};

/**
 * Closes this when a signal ends the process, before what was registered earlier. Signals that come
 * while it closes change nothing. Returns a function that forgets it.
 */
export const closeOnSignal = (close: Close): (() => void) => {
  if (closes.length === 0 && taken === undefined && ending === undefined) listen();
  closes.push(close);
  return () => {
    const at = closes.indexOf(close);
    if (at !== -1) closes.splice(at, 1);
    if (closes.length === 0 && ending === undefined) leave();
  };
};

/** A signal ends the process as an error would: by its `exit` listeners, after what is registered is closed. */
export const exitOnSignals = (): void => void closeOnSignal(() => Promise.resolve());

/** Takes the signals over for a program that stops by itself: the first one aborts this, and the others change nothing. */
export const takeStopSignals = (): AbortSignal => {
  if (taken !== undefined) return taken;
  const controller = new AbortController();
  leave();
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      controller.abort(name);
    });
  }
  return (taken = controller.signal);
};
