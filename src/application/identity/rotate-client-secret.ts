import { isRotationOverlap, MAX_OVERLAP_SECONDS } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { Rotated } from '../../domain/ports/installation-repository.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { isUninstalled, noInstallation } from './installation-refusals.ts';
import { newCredential } from './new-credential.ts';

/** A new client secret, shown this once. Both the old and the new one are valid during the overlap; 0 revokes the old one now. */
export const rotateClientSecret =
  ({ ids, installations, secrets }: Pick<Ports, 'ids' | 'installations' | 'secrets'>, defaultOverlapSeconds: number) =>
  async (
    id: string,
    overlapSeconds = defaultOverlapSeconds,
  ): Promise<Result<Rotated & { readonly clientSecret: string }, 'not_found' | 'conflict' | 'invalid'>> => {
    if (!isRotationOverlap(overlapSeconds))
      return refuse('invalid', `overlapSeconds must be 0 to ${String(MAX_OVERLAP_SECONDS)}`);
    const clientSecret = newCredential(secrets, 'clientSecret');
    const kept = { id: ids.next(), hash: secrets.hashClientSecret(clientSecret) };
    const rotated = await installations.rotateClientSecret(id, kept, overlapSeconds);
    if (rotated === null) return noInstallation();
    return rotated === 'uninstalled' ? isUninstalled() : ok({ clientSecret, ...rotated });
  };
