import type { Logger } from 'pino';

import { SecretUnopened } from '../../../domain/ports/secrets.ts';
import { KEY_MISSING } from './unopened.ts';

/**
 * Logs in one line that a secret can't be opened, once for each key, since all deliveries of the key
 * fail alike. Passes the name of the key on each time. Returns false for any other error.
 */
export const reportUnopened = (log: Logger, onUnopened: (kid: string) => void): ((error: unknown) => boolean) => {
  const reported = new Set<string>();
  return (error) => {
    if (!(error instanceof SecretUnopened)) return false;
    if (!reported.has(error.kid)) log.error({ kid: error.kid }, `${error.message} Its deliveries wait. ${KEY_MISSING}`);
    reported.add(error.kid);
    onUnopened(error.kid);
    return true;
  };
};
