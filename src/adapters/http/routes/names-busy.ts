import { MAX_NAME_LOOK_UPS, NAME_LOOK_UP_SECONDS } from '../../../domain/webhooks/name-look-ups.ts';
import type { Result } from '../../../domain/result.ts';
import type { HandlerContext } from '../handler.ts';
import { TOO_MANY_DRY_RUNS } from './dry-run-place.ts';

const LOOK_UPS = { limit: MAX_NAME_LOOK_UPS, windowSeconds: NAME_LOOK_UP_SECONDS };

/** Says when to come again where a use case found too many host names that are being looked up. */
export const namesBusy = <R extends Result<unknown, string>>(context: HandlerContext, result: R): R => {
  const isOfNames = !result.ok && result.code === 'rate_limited' && (result as unknown) !== TOO_MANY_DRY_RUNS;
  if (isOfNames) context.exceeded('name-lookups', LOOK_UPS);
  return result;
};
