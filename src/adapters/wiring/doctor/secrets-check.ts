import { createSecrets } from '../../node/secrets.ts';
import type { Database } from '../../prisma/connection/database.ts';
import { retiredPeppers } from '../../prisma/identity/retired-peppers.ts';
import { batchesOf, sealedTables } from '../../prisma/identity/sealed-secrets.ts';
import type { SealedSecret } from '../../prisma/identity/sealed-secrets.ts';
import type { Config } from '../config.ts';
import { pepperContext } from '../keys/open-secrets.ts';
import { failed, fine } from './finding.ts';
import type { Found } from './finding.ts';

/** All that is sealed: the signing secrets of apps and of the merchant, and the peppers of earlier keys. */
async function* everySecret(database: Database): AsyncGenerator<Omit<SealedSecret, 'id'>> {
  for (const table of sealedTables(database)) for await (const batch of batchesOf(table)) yield* batch;
  for (const { id, sealed } of await retiredPeppers(database).list()) yield { context: pepperContext(id), sealed };
}

/** Opens every sealed secret with the configured keys. */
export const checkSecrets = async (database: Database, { SECRET_KEYS }: Config): Promise<Found> => {
  const { open } = createSecrets(SECRET_KEYS);
  const closed = new Map<string, number>();
  let counted = 0;
  for await (const { context, sealed } of everySecret(database)) {
    counted += 1;
    try {
      open(sealed, context);
    } catch {
      // The error has nothing to add: which key is missing is in the sealed text.
      const kid = sealed.split('.')[1] ?? '';
      closed.set(kid, (closed.get(kid) ?? 0) + 1);
    }
  }
  if (closed.size === 0) return fine(`SECRET_KEYS opens all ${String(counted)} secrets`);
  const counts = [...closed].map(([kid, count]) => `${String(count)} of key ${kid}`).join(', ');
  return failed(
    `SECRET_KEYS does not open ${counts}`,
    'Add the missing key to SECRET_KEYS, behind the others. If it is lost, rotate the signing secrets of the apps.',
  );
};
