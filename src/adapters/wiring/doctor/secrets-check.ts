import type { Database } from '../../prisma/connection/database.ts';
import { retiredPeppers } from '../../prisma/identity/retired-peppers.ts';
import { batchesOf, sealedTables } from '../../prisma/identity/sealed-secrets.ts';
import type { Config } from '../settings/config.ts';
import { sealedPepper } from '../keys/open-secrets.ts';
import { KEY_MISSING, keyMissing, unopened, type SealedText } from '../keys/unopened.ts';
import { failed, fine, type Found } from './finding.ts';

async function* everySecret(database: Database): AsyncGenerator<SealedText> {
  for (const table of sealedTables(database)) for await (const batch of batchesOf(table)) yield* batch;
  for (const pepper of await retiredPeppers(database).list()) yield sealedPepper(pepper);
}

export const checkSecrets = async (database: Database, { SECRET_KEYS }: Config): Promise<Found> => {
  let counted = 0;
  const counting = async function* () {
    for await (const secret of everySecret(database)) {
      counted += 1;
      yield secret;
    }
  };
  const closed = await unopened(counting(), SECRET_KEYS);
  if (closed.size > 0) return failed(keyMissing(closed), KEY_MISSING);
  return fine(`SECRET_KEYS opens all ${String(counted)} secrets`);
};
