import { createHash } from 'node:crypto';

import type { Secrets } from '../../../domain/ports/secrets.ts';
import { createSecrets } from '../../node/secrets.ts';
import type { SecretKey } from '../../startup/secret-keys.ts';
import type { SealedSecrets, SealedText, StoredPepper } from '../../storage/sealed-secrets.ts';

export const pepperId = (pepper: Buffer): string => createHash('sha256').update(pepper).digest('hex');

export const pepperContext = (id: string): string => `pepper:${id}`;

export const sealedPepper = ({ id, sealed }: StoredPepper): SealedText => ({ context: pepperContext(id), sealed });

/** The pepper; null when SECRET_KEYS does not have its key. Its secrets do not match then. */
export const openPepper = (secrets: Pick<Secrets, 'open'>, { id, sealed }: StoredPepper): Buffer | null => {
  try {
    return Buffer.from(secrets.open(sealed, pepperContext(id)), 'base64');
  } catch {
    return null;
  }
};

export interface OpenSecrets {
  readonly secrets: Secrets;
  /** Reads the peppers that an import or a rotation has brought since. */
  readonly learn: () => Promise<void>;
}

export const openSecrets = async (
  keys: readonly SecretKey[],
  { peppers }: Pick<SealedSecrets, 'peppers'>,
  sealing?: () => string,
): Promise<OpenSecrets> => {
  const { open } = createSecrets(keys);
  // Known secrets stay known: a rotation may seal a secret again, under a key that this process does not have yet.
  const known = new Map<string, Buffer>();
  const learn = async (): Promise<void> => {
    for (const stored of await peppers.list()) {
      const pepper = known.get(stored.id) ?? openPepper({ open }, stored);
      if (pepper !== null) known.set(stored.id, pepper);
    }
  };
  await learn();
  return { secrets: createSecrets(keys, { retiredPeppers: () => known.values(), ...(sealing && { sealing }) }), learn };
};
