import { pino } from 'pino';
import type { Logger } from 'pino';

import { redactCredentials } from '../../domain/identity/redact.ts';

interface ErrorLine {
  readonly type: string;
  readonly message: string;
  /** With the stacks of its causes. */
  readonly stack: string;
  readonly code?: unknown;
  /** The errors of an AggregateError. */
  readonly errors?: readonly unknown[];
}

/**
 * The fields of an error that are logged. Libraries attach whole clients to their errors, with the
 * keys of their connections.
 */
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

/**
 * At most this many milliseconds, and about this many bytes, lines wait for others. A write for
 * each line would cost a request more than the line. A pipe takes a write of this size whole,
 * so the lines of several processes do not mix.
 */
const FLUSH_MS = 100;
const BATCH_BYTES = 4_096;
/** A warning and higher levels are written at once. */
const WARN = 40;

const SECRET_FIELDS = ['authorization', 'clientSecret', 'signingSecret', 'accessToken', 'adminToken'];

/**
 * Structured lines on standard output. Fields that could carry a secret are removed from errors and
 * requests. A warning, an error and an exit write the lines that wait. A process that is killed
 * loses the lines of its last moment. `base` is in every line.
 */
export const createLogger = (level: string, base: object | null = null): Logger => {
  const destination = pino.destination({
    dest: process.stdout.fd,
    sync: false,
    minLength: BATCH_BYTES - 1,
    maxWrite: BATCH_BYTES,
    periodicFlush: FLUSH_MS,
  });
  return pino(
    {
      level,
      base,
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
