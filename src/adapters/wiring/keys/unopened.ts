import { SecretUnopened } from '../../../domain/ports/secrets.ts';
import { plural } from '../../../domain/values/plural.ts';
import { createSecrets } from '../../node/secrets.ts';
import type { SecretKey } from '../../startup/secret-keys.ts';
import type { SealedText } from '../../storage/sealed-secrets.ts';

/** How many of the texts the keys do not open, by the name of the key that each is sealed under. */
export const unopened = async (
  texts: AsyncIterable<SealedText> | Iterable<SealedText>,
  keys: readonly SecretKey[],
): Promise<ReadonlyMap<string, number>> => {
  const { open } = createSecrets(keys);
  const closed = new Map<string, number>();
  for await (const { context, sealed } of texts) {
    try {
      open(sealed, context);
    } catch (error) {
      if (!(error instanceof SecretUnopened)) throw error;
      closed.set(error.kid, (closed.get(error.kid) ?? 0) + 1);
    }
  }
  return closed;
};

export const keyMissing = (closed: ReadonlyMap<string, number>): string =>
  `SECRET_KEYS does not open ${[...closed].map(([kid, count]) => `${plural(count, 'secret')} of key ${kid}`).join(', ')}`;

export const KEY_MISSING =
  'Add the missing key to SECRET_KEYS, behind the others. If it is lost, set LOST_SECRET_KEYS to its name, and rotate the secrets of the apps.';
