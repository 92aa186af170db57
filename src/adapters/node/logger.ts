import { pino } from 'pino';
import type { Logger } from 'pino';

/** Structured lines on standard output. What could ever carry a secret is cut from errors and requests alike. */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['authorization', '*.authorization', 'clientSecret', '*.clientSecret', 'signingSecret', '*.signingSecret'],
      censor: '[cut]',
    },
  });
