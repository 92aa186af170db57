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

export const openSecrets = async (keys: readonly SecretKey[], { peppers }: Pick<SealedSecrets, 'peppers'>): Promise<Secrets> => {
  const secrets = createSecrets(keys);
  const stored = await peppers.list();
  return createSecrets(keys, { retiredPeppers: stored.flatMap((pepper) => openPepper(secrets, pepper) ?? []) });
};
