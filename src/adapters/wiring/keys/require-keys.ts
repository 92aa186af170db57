import type { Logger } from 'pino';

import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import type { Config } from '../settings/config.ts';
import { batchesOf, type SealedSecrets } from '../../storage/sealed-secrets.ts';
import { sealedPepper } from './open-secrets.ts';
import { forgetRemedy, keyLost, requireNoneMissing, unopened } from './unopened.ts';

/** True when the keys open at least one of the secrets sealed under this key. */
const opensAny = async ({ tables }: SealedSecrets, kid: string, keys: Config['SECRET_KEYS']): Promise<boolean> => {
  for (const table of tables) {
    for await (const batch of batchesOf(table)) {
      const own = batch.filter(({ sealed }) => sealed.split('.')[1] === kid);
      if ((await unopened(own, keys)).get(kid) !== own.length && own.length > 0) return true;
    }
  }
  return false;
};

/** No secrets where a server that has some of the stores does not answer: the others are served. */
const samplesOf = async (secrets: SealedSecrets, log: Logger) => {
  try {
    return await secrets.samples();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    log.warn({ err: error }, 'Not all secrets of the stores can be read now. SECRET_KEYS was not compared with them.');
    return [];
  }
};

/**
 * Throws a StartFailure when a key is missing that stored secrets need. Without it, apps would be
 * refused and deliveries could not be signed. It opens a few secrets of each key, and the others only
 * if none of these opens: they may be damaged.
 */
export const requireKeys = async (
  secrets: SealedSecrets,
  { SECRET_KEYS, LOST_SECRET_KEYS }: Pick<Config, 'SECRET_KEYS' | 'LOST_SECRET_KEYS'>,
  log: Logger,
): Promise<void> => {
  const peppers = (await secrets.peppers.list()).map(sealedPepper);
  const closed = new Map(await unopened(peppers, SECRET_KEYS));
  for (const { kid, count, samples } of await samplesOf(secrets, log)) {
    const [opensNone] = (await unopened(samples, SECRET_KEYS)).values();
    if (opensNone !== samples.length || (await opensAny(secrets, kid, SECRET_KEYS))) continue;
    closed.set(kid, (closed.get(kid) ?? 0) + count);
  }
  const lost = requireNoneMissing(closed, { LOST_SECRET_KEYS });
  if (lost.size > 0) log.warn(`${keyLost(lost)}. ${forgetRemedy(lost)}`);
};
