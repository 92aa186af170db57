import fs from 'node:fs';
import { pino, type Logger } from 'pino';

import { redactCredentials, type Redact } from '../../domain/identity/redact.ts';
import { isOutage } from '../../domain/unavailable.ts';

/** A line of the log that waits to be written, or not to be. */
type Write = (leftOut: number) => void;

interface Kind {
  /** The newest line that was not written. */
  latest: Write | null;
  leftOut: number;
}

const EVERY_MS = 1_000;

/**
 * Writes the first line of a kind at once, and then one each second while more come: the newest,
 * with the number of those that were left out. An outage would otherwise write a line for each
 * request and each second of background work.
 */
export class OutageLines {
  readonly #kinds = new Map<string, Kind>();
  total = 0;

  add(kind: string, write: Write): void {
    this.total += 1;
    const known = this.#kinds.get(kind);
    if (known) {
      if (known.latest) known.leftOut += 1;
      known.latest = write;
      return;
    }
    write(0);
    this.#rest(kind);
  }

  /** Writes at once what waits. */
  flush(): void {
    for (const [kind, { latest, leftOut }] of [...this.#kinds]) {
      latest?.(leftOut);
      this.#kinds.set(kind, { latest: null, leftOut: 0 });
    }
  }

  #rest(kind: string): void {
    this.#kinds.set(kind, { latest: null, leftOut: 0 });
    setTimeout(() => {
      const { latest = null, leftOut = 0 } = this.#kinds.get(kind) ?? {};
      this.#kinds.delete(kind);
      if (!latest) return;
      latest(leftOut);
      this.#rest(kind);
    }, EVERY_MS).unref();
  }
}

interface ErrorLine {
  readonly type: string;
  readonly message: string;
  /** With the stacks of its causes. Absent for an outage, whose place in the code tells nothing. */
  readonly stack?: string;
  readonly code?: unknown;
  readonly errors?: readonly unknown[];
}

/**
 * The fields of an error that are logged. Libraries attach whole clients to their errors, with the
 * keys of their connections.
 */
export const errorLine = (error: unknown, redact: Redact = redactCredentials): unknown => {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const line: ErrorLine = { type, message: redact(message) };
  return {
    ...line,
    ...(!isOutage(error) && { stack: redact(stack) }),
    ...('code' in error && { code: error.code }),
    ...(error instanceof AggregateError && { errors: error.errors.map((one) => errorLine(one, redact)) }),
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

const SECRET_FIELDS = ['authorization', 'clientSecret', 'signingSecret', 'accessToken', 'access_token', 'adminToken'];

const lines = new WeakMap<Logger, OutageLines>();

/** Counts errors of outages that were logged or left out. 0 for a logger that was not made here. */
export const outageErrors = (log: Logger): number => lines.get(log)?.total ?? 0;

const outageIn = (fields: unknown): object | null =>
  typeof fields === 'object' && fields !== null && 'err' in fields && isOutage(fields.err) ? fields : null;

interface LoggerOptions {
  readonly base?: object | null;
  /** Cuts credentials out of errors; by default those that Tenon made. */
  readonly redact?: Redact | undefined;
  /** Takes each line of JSON in place of standard output. */
  readonly write?: ((line: string) => void) | undefined;
}

interface Destination {
  readonly write: (line: string) => unknown;
  readonly flush: () => void;
  readonly flushSync: () => void;
}

const nothing = (): void => undefined;

/** A write that nobody can read counts as done: sonic-boom 4 repeats it for ever at the exit, and the process would not end. */
const writingToNobody = (flushSync: () => void): void => {
  const { writeSync } = fs;
  const write = (fd: number, data: string | NodeJS.ArrayBufferView): number => {
    try {
      return typeof data === 'string' ? writeSync(fd, data, null, 'utf8') : writeSync(fd, data);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
      return Buffer.byteLength(data);
    }
  };
  Object.assign(fs, { writeSync: write });
  try {
    flushSync();
  } finally {
    Object.assign(fs, { writeSync });
  }
};

const standardOutput = (): Destination => {
  const destination = pino.destination({
    dest: process.stdout.fd,
    sync: false,
    minLength: BATCH_BYTES - 1,
    maxWrite: BATCH_BYTES,
    periodicFlush: FLUSH_MS,
  });
  const flushSync = destination.flushSync.bind(destination);
  // pino calls it as well, when the process exits.
  return Object.assign(destination, { flushSync: () => writingToNobody(flushSync) });
};

/**
 * Structured lines on standard output. Fields that could carry a secret are removed from errors and
 * requests. Of an outage, one line of each message is written in a second, without a stack. A warning,
 * an error and an exit write the lines that wait. A process that is killed loses the lines of its
 * last moment.
 */
export const createLogger = (level: string, { base = null, redact, write }: LoggerOptions = {}): Logger => {
  const destination = write === undefined ? standardOutput() : { write, flush: nothing, flushSync: nothing };
  const outages = new OutageLines();
  let isEnding = false;
  const endWith = (): void => {
    isEnding = true;
    outages.flush();
    destination.flushSync();
  };
  const log = pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorLine(error, redact) },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]),
        censor: '[cut]',
      },
      hooks: {
        logMethod(args, record, severity) {
          const flushed = (line: typeof args): void => {
            record.apply(this, line);
            // A write that has begun would be lost at the exit.
            if (severity >= WARN && !isEnding) destination.flush();
          };
          const [fields, message] = args;
          const outage = severity >= WARN ? outageIn(fields) : null;
          if (!outage) {
            flushed(args);
            return;
          }
          if (outages.total === 0) process.once('exit', endWith);
          outages.add(message ?? '', (leftOut) => flushed([leftOut > 0 ? { ...outage, leftOut } : outage, message]));
        },
      },
    },
    destination,
  );
  lines.set(log, outages);
  return log;
};
