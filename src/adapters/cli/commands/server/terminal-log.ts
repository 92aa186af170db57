import { plain, type Style } from '../../output/style.ts';
import { timeOfDay } from '../../output/time.ts';
import type { Printer } from '../../output/printer.ts';

const SEVERITY: Readonly<Record<string, number>> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };
const STYLES: Readonly<Record<string, Style>> = { warn: 'yellow', error: 'red', fatal: 'red' };

interface ErrorFields {
  readonly message?: string;
  readonly stack?: string;
}

/** The fields that a line shows. Each other one is in the log of a pipe. */
interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: ErrorFields;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly reason?: string;
}

const styleOfStatus = (status: number): Style => {
  if (status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
};

const request = ({ status = 0, method, path, durationMs, reason }: LogLine, paint: Printer['paint']): string =>
  [
    paint(styleOfStatus(status), String(status)),
    plain(`${String(method)} ${String(path)}`),
    durationMs === undefined ? null : paint('dim', `${String(Math.round(durationMs))} ms`),
    reason === undefined ? null : plain(reason),
  ]
    .filter((part) => part !== null)
    .join('  ');

const event = ({ level, msg = '', err }: LogLine, paint: Printer['paint']): string => {
  const style = STYLES[level];
  const text = plain(err?.message === undefined ? msg : `${msg} ${err.message}`);
  // The cause of a warning is known, and the work is tried again. An error is a bug, and its stack helps.
  const stack = (SEVERITY[level] ?? 0) >= 50 ? (err?.stack?.split('\n').slice(1) ?? []) : [];
  const named = style === undefined ? text : `${paint(style, level)}  ${text}`;
  return [named, ...stack.map((line) => paint('dim', plain(line)))].join('\n');
};

/** Formats a line of the log for a person. */
const logLine = (json: string, paint: Printer['paint']): string => {
  const line = JSON.parse(json) as LogLine;
  const text = line.status === undefined || line.method === undefined ? event(line, paint) : request(line, paint);
  return `${paint('dim', timeOfDay(line.time))}  ${text}\n`;
};

export interface TerminalLog {
  readonly write: (json: string) => void;
  /** From here on, each line is written, and not only what is wrong. */
  readonly open: () => void;
  /** From here on, only errors: a stop cuts off what runs. */
  readonly close: () => void;
}

/**
 * The log on a terminal: short lines, which begin with the greeting. What the demo does before that
 * would look like faults, and push the greeting off the screen.
 */
export const terminalLog = ({ raw, paint }: Pick<Printer, 'raw' | 'paint'>): TerminalLog => {
  let least = 40;
  return {
    write: (json) => {
      const { level } = JSON.parse(json) as LogLine;
      if ((SEVERITY[level] ?? 0) >= least) raw(logLine(json, paint));
    },
    open: () => {
      least = 0;
    },
    close: () => {
      least = 50;
    },
  };
};
