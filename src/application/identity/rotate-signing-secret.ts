import { isRotationOverlap, MAX_OVERLAP_SECONDS } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { Rotated } from '../../domain/ports/installation-repository.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { isUninstalled, noInstallation } from './installation-refusals.ts';

/** A new signing secret, shown this once. Both the old and the new one are valid during the overlap; 0 revokes the old one now. */
export const rotateSigningSecret =
  ({ ids, installations, secrets }: Pick<Ports, 'ids' | 'installations' | 'secrets'>, defaultOverlapSeconds: number) =>
  async (
    id: string,
    overlapSeconds = defaultOverlapSeconds,
  ): Promise<Result<Rotated & { readonly signingSecret: string }, 'not_found' | 'conflict' | 'invalid'>> => {
    if (!isRotationOverlap(overlapSeconds))
      return refuse('invalid', `overlapSeconds must be 0 to ${String(MAX_OVERLAP_SECONDS)}`);
    const signingSecret = secrets.signingSecret();
    const kept = { id: ids.next(), sealed: secrets.seal(signingSecret, id) };
    const rotated = await installations.rotateSigningSecret(id, kept, overlapSeconds);
    if (rotated === null) return noInstallation();
    return rotated === 'uninstalled' ? isUninstalled() : ok({ signingSecret, ...rotated });
  };
