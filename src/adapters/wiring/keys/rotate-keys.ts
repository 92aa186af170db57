import type { Secrets } from '../../../domain/ports/secrets.ts';
import { createSecrets, pepperOf } from '../../node/secrets.ts';
import type { SecretKey } from '../../startup/secret-keys.ts';
import {
  batchesOf,
  type KeyCounts,
  type SealedSecretRow,
  type SealedSecrets,
  type SealedTable,
  type StoredPepper,
} from '../../storage/sealed-secrets.ts';
import { openPepper, pepperContext, pepperId } from './open-secrets.ts';

export interface RotationReport {
  readonly kid: string;
  readonly resealed: number;
  readonly peppers: number;
  /** The secrets that no key opens, by the key that they need. They stay as they are. */
  readonly unopened: KeyCounts;
}

type OnUnopened = (sealed: string) => void;

/** The secret under the newest key, if a key opens it. */
const reseal = (secrets: Secrets, { storeId, id, context, sealed }: SealedSecretRow, onUnopened: OnUnopened) => {
  try {
    return [{ storeId, id, old: sealed, sealed: secrets.seal(secrets.open(sealed, context), context) }];
  } catch {
    onUnopened(sealed);
    return [];
  }
};

const rotateTable = async (table: SealedTable, secrets: Secrets, kid: string, onUnopened: OnUnopened): Promise<number> => {
  let resealed = 0;
  for await (const batch of batchesOf(table, kid)) {
    const changed = batch.flatMap((secret) => reseal(secrets, secret, onUnopened));
    for (const secret of changed) resealed += await table.replace(secret);
  }
  return resealed;
};

const openKnown = (secrets: Secrets, stored: StoredPepper, onUnopened: OnUnopened): readonly Buffer[] => {
  const pepper = openPepper(secrets, stored);
  if (pepper !== null) return [pepper];
  onUnopened(stored.sealed);
  return [];
};

/** Keeps the pepper of each key but the first, since the hashes under it can't be made again. Returns how many it keeps. */
const rotatePeppers = async (
  stored: SealedSecrets['peppers'],
  secrets: Secrets,
  keys: readonly SecretKey[],
  onUnopened: OnUnopened,
): Promise<number> => {
  const known = (await stored.list()).flatMap((pepper) => openKnown(secrets, pepper, onUnopened));
  const byId = new Map([...keys.slice(1).map(pepperOf), ...known].map((pepper) => [pepperId(pepper), pepper]));
  for (const [id, pepper] of byId) await stored.put({ id, sealed: secrets.seal(pepper.toString('base64'), pepperContext(id)) });
  return byId.size;
};

/**
 * Seals every secret again under the first of the keys, in small batches, while servers run. A
 * secret that somebody changes meanwhile is left as they changed it. Afterwards the other keys are
 * not needed, unless a server that runs still has one of them first: what it seals is sealed again
 * by the next rotation.
 */
export const rotateKeys = async (stored: SealedSecrets, keys: readonly [SecretKey, ...SecretKey[]]): Promise<RotationReport> => {
  const secrets = createSecrets(keys);
  const { kid } = keys[0];
  const unopened = new Map<string, number>();
  const onUnopened = (sealed: string): void => {
    const needed = sealed.split('.')[1] ?? '';
    unopened.set(needed, (unopened.get(needed) ?? 0) + 1);
  };
  const peppers = await rotatePeppers(stored.peppers, secrets, keys, onUnopened);
  let resealed = 0;
  for (const table of stored.tables) resealed += await rotateTable(table, secrets, kid, onUnopened);
  return { kid, resealed, peppers, unopened };
};
