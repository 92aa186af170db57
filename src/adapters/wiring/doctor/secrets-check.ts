import { plural } from '../../../domain/values/plural.ts';
import type { Config } from '../settings/config.ts';
import { sealedPepper } from '../keys/open-secrets.ts';
import { forgetRemedy, judgeKeys, KEY_MISSING, keyLost, keyMissing, unopened } from '../keys/unopened.ts';
import { failed, fine, warning, type CheckResult } from '../../storage/finding.ts';
import { batchesOf, type SealedSecrets, type SealedText } from '../../storage/sealed-secrets.ts';

async function* everySecret({ tables, peppers }: SealedSecrets): AsyncGenerator<SealedText> {
  for (const table of tables) for await (const batch of batchesOf(table)) yield* batch;
  for (const pepper of await peppers.list()) yield sealedPepper(pepper);
}

export const checkSecrets = async (
  secrets: SealedSecrets,
  config: Pick<Config, 'SECRET_KEYS' | 'LOST_SECRET_KEYS'>,
): Promise<CheckResult> => {
  let counted = 0;
  const counting = async function* () {
    for await (const secret of everySecret(secrets)) {
      counted += 1;
      yield secret;
    }
  };
  const { missing, lost } = judgeKeys(await unopened(counting(), config.SECRET_KEYS), config);
  const found = [
    ...(missing.size > 0 ? [failed(keyMissing(missing), KEY_MISSING)] : []),
    ...(lost.size > 0 ? [warning(keyLost(lost), forgetRemedy(lost))] : []),
  ];
  if (found.length > 0) return found;
  return fine(`SECRET_KEYS opens all that is stored: ${plural(counted, 'secret')}`);
};
