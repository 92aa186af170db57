import { plural } from '../../../domain/values/plural.ts';
import type { Config } from '../settings/config.ts';
import { sealedPepper } from '../keys/open-secrets.ts';
import { KEY_MISSING, keyMissing, unopened } from '../keys/unopened.ts';
import { failed, fine, type Found } from '../../storage/finding.ts';
import { batchesOf, type SealedSecrets, type SealedText } from '../../storage/sealed-secrets.ts';

async function* everySecret({ tables, peppers }: SealedSecrets): AsyncGenerator<SealedText> {
  for (const table of tables) for await (const batch of batchesOf(table)) yield* batch;
  for (const pepper of await peppers.list()) yield sealedPepper(pepper);
}

export const checkSecrets = async (secrets: SealedSecrets, { SECRET_KEYS }: Config): Promise<Found> => {
  let counted = 0;
  const counting = async function* () {
    for await (const secret of everySecret(secrets)) {
      counted += 1;
      yield secret;
    }
  };
  const closed = await unopened(counting(), SECRET_KEYS);
  if (closed.size > 0) return failed(keyMissing(closed), KEY_MISSING);
  return fine(`SECRET_KEYS opens all that is stored: ${plural(counted, 'secret')}`);
};
