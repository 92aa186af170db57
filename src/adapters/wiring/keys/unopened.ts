import { SecretUnopened } from '../../../domain/ports/secrets.ts';
import { plural } from '../../../domain/values/plural.ts';
import { createSecrets } from '../../node/secrets.ts';
import type { SecretKey } from '../../startup/secret-keys.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import type { KeyCounts, SealedText } from '../../storage/sealed-secrets.ts';
import type { Config } from '../settings/config.ts';

/** Counts the texts that the keys do not open, by the name of the key that each is sealed under. */
export const unopened = async (
  texts: AsyncIterable<SealedText> | Iterable<SealedText>,
  keys: readonly SecretKey[],
): Promise<KeyCounts> => {
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

/** Leaves out the keys that SECRET_KEYS has. */
export const withoutKey = (sealed: KeyCounts, { SECRET_KEYS }: Pick<Config, 'SECRET_KEYS'>): KeyCounts =>
  new Map([...sealed].filter(([kid]) => SECRET_KEYS.every((key) => key.kid !== kid)));

const counted = (closed: KeyCounts): string =>
  [...closed].map(([kid, count]) => `${plural(count, 'secret')} of key ${kid}`).join(', ');

export const keyMissing = (closed: KeyCounts): string => `SECRET_KEYS does not open ${counted(closed)}`;

export const KEY_MISSING =
  'Add the missing key to SECRET_KEYS, behind the others. If it is lost, set LOST_SECRET_KEYS to its name, and rotate the secrets of the apps.';

export const keyLost = (lost: KeyCounts): string => `Nothing opens ${counted(lost)}, which LOST_SECRET_KEYS names`;

export const forgetRemedy = (lost: KeyCounts): string =>
  `Rotate the secrets of the apps, and then run ${[...lost.keys()].map((kid) => `tenon keys forget ${kid}`).join(' and ')}.`;

/** The keys that SECRET_KEYS lacks, apart from those that the operator has given up as lost. */
export const judgeKeys = (closed: KeyCounts, { LOST_SECRET_KEYS }: Pick<Config, 'LOST_SECRET_KEYS'>) => {
  const isLost = ([kid]: readonly [string, number]): boolean => LOST_SECRET_KEYS.includes(kid);
  return {
    missing: new Map([...closed].filter((one) => !isLost(one))) as KeyCounts,
    lost: new Map([...closed].filter(isLost)) as KeyCounts,
  };
};

/** Returns the lost keys. Throws a StartFailure when another one is missing. */
export const requireNoneMissing = (closed: KeyCounts, config: Pick<Config, 'LOST_SECRET_KEYS'>): KeyCounts => {
  const { missing, lost } = judgeKeys(closed, config);
  if (missing.size > 0) throw new StartFailure(`${keyMissing(missing)}. ${KEY_MISSING}`);
  return lost;
};
