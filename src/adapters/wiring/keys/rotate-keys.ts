import type { Secrets } from '../../../domain/ports/secrets.ts';
import { createSecrets, pepperOf } from '../../node/secrets.ts';
import type { SecretKey } from '../../startup/secret-keys.ts';
import { batchesOf, type SealedSecret, type SealedSecrets, type SealedTable } from '../../storage/sealed-secrets.ts';
import { openPepper, pepperContext, pepperId } from './open-secrets.ts';

export interface RotationReport {
  readonly kid: string;
  readonly resealed: number;
  readonly peppers: number;
  /** How many secrets have a key that SECRET_KEYS does not have. They stay as they are. */
  readonly unopened: number;
}

/** The secret under the newest key. Null when its key is missing. */
const reseal = (secrets: Secrets, { storeId, id, context, sealed }: SealedSecret) => {
  try {
    return { storeId, id, old: sealed, sealed: secrets.seal(secrets.open(sealed, context), context) };
  } catch {
    return null;
  }
};

const rotateTable = async (table: SealedTable, secrets: Secrets, kid: string) => {
  let [resealed, unopened] = [0, 0];
  for await (const batch of batchesOf(table, kid)) {
    const changed = batch.flatMap((secret) => reseal(secrets, secret) ?? []);
    for (const secret of changed) resealed += await table.replace(secret);
    unopened += batch.length - changed.length;
  }
  return { resealed, unopened };
};

/** Keeps the pepper of each key but the first, since the hashes under it can't be made again. */
const rotatePeppers = async (stored: SealedSecrets['peppers'], secrets: Secrets, keys: readonly SecretKey[]) => {
  const known = (await stored.list()).map((pepper) => openPepper(secrets, pepper));
  const peppers = [...keys.slice(1).map(pepperOf), ...known.flatMap((pepper) => pepper ?? [])];
  const byId = new Map(peppers.map((pepper) => [pepperId(pepper), pepper]));
  for (const [id, pepper] of byId) await stored.put({ id, sealed: secrets.seal(pepper.toString('base64'), pepperContext(id)) });
  return { peppers: byId.size, unopened: known.filter((pepper) => pepper === null).length };
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
  const report = { kid, resealed: 0, ...(await rotatePeppers(stored.peppers, secrets, keys)) };
  for (const table of stored.tables) {
    const { resealed, unopened } = await rotateTable(table, secrets, kid);
    report.resealed += resealed;
    report.unopened += unopened;
  }
  return report;
};
