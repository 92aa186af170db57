import { MAX_NAME_LOOK_UPS, NAME_LOOK_UP_SECONDS, NAMES_BUSY } from '../../../domain/webhooks/name-look-ups.ts';
import type { Result } from '../../../domain/result.ts';
import type { HandlerContext } from '../handler.ts';

const LOOK_UPS = { limit: MAX_NAME_LOOK_UPS, windowSeconds: NAME_LOOK_UP_SECONDS };

/** Says when to come again where a use case found too many host names that are being looked up. */
export const namesBusy = <R extends Result<unknown, string>>(context: HandlerContext, result: R): R => {
  if ((result as unknown) === NAMES_BUSY) context.exceeded('name-lookups', LOOK_UPS);
  return result;
};
