import { pino } from 'pino';
import type { Logger } from 'pino';

import { redactCredentials } from '../../domain/identity/redact.ts';

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
  const line: ErrorLine = { type, message: redactCredentials(message), stack: redactCredentials(stack) };
  return {
    ...line,
    ...('code' in error && { code: error.code }),
    ...(error instanceof AggregateError && { errors: error.errors.map(errorLine) }),
  };
};

/** Milliseconds at most, and bytes about, that lines wait for others: a write for each line costs a request more than the line. */
const FLUSH_MS = 100;
const BATCH_BYTES = 4_096;
/** A warning and all above it are written at once. */
const WARN = 40;

const SECRET_FIELDS = ['authorization', 'clientSecret', 'signingSecret', 'accessToken', 'adminToken'];

/**
 * Structured lines on standard output. What could ever carry a secret is cut from errors and requests alike. A warning, an error and an exit
 * write out what waits; a process that is killed outright takes along the lines of its last moment.
 */
export const createLogger = (level: string): Logger => {
  const destination = pino.destination({
    dest: process.stdout.fd,
    sync: false,
    minLength: BATCH_BYTES,
    periodicFlush: FLUSH_MS,
  });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorLine },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]),
        censor: '[cut]',
      },
      hooks: {
        logMethod(args, write, severity) {
          write.apply(this, args);
          if (severity >= WARN) destination.flush();
        },
      },
    },
    destination,
  );
};
