import { pino } from 'pino';
import type { Logger } from 'pino';

interface ErrorLine {
  readonly type: string;
  readonly message: string;
  /** With those of its causes. */
  readonly stack: string;
  readonly code?: unknown;
  /** Of several in one. */
  readonly errors?: readonly unknown[];
}

/** What a line tells of an error, and no more: libraries hang whole clients on theirs, with the keys of their connections. */
export const errorLine = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const line: ErrorLine = { type, message, stack };
  return {
    ...line,
    ...('code' in error && { code: error.code }),
    ...(error instanceof AggregateError && { errors: error.errors.map(errorLine) }),
  };
};

/** Structured lines on standard output. What could ever carry a secret is cut from errors and requests alike. */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorLine },
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['authorization', '*.authorization', 'clientSecret', '*.clientSecret', 'signingSecret', '*.signingSecret'],
      censor: '[cut]',
    },
  });
