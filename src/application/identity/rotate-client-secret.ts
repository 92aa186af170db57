import { checkOverlap } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { Rotated } from '../../domain/ports/identity/installation-repository.ts';
import { ok, type Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';
import { installationResult, secretsRefusal } from './installation-result.ts';
import { newClientSecret } from './new-credential.ts';

export type RotatedClientSecret = Rotated & { readonly clientSecret: string };

/**
 * Makes a new client secret and returns it this once. The old one stays valid for the overlap; with
 * 0 it ends now.
 */
export const rotateClientSecret =
  (
    { ids, installations, locator, secrets }: Pick<Ports, 'ids' | 'installations' | 'locator' | 'secrets'>,
    defaultOverlapSeconds: number,
  ) =>
  async (
    id: string,
    overlapSeconds = defaultOverlapSeconds,
  ): Promise<Result<RotatedClientSecret, 'not_found' | 'conflict' | 'invalid'>> => {
    const refusal = checkOverlap(overlapSeconds);
    if (refusal) return refusal;
    return inItsStore({ locator })(id, async (storeId) => {
      const shared = await secretsRefusal({ installations }, storeId, id);
      if (shared) return shared;
      const { clientSecret, kept } = newClientSecret({ ids, secrets });
      const rotated = installationResult(await installations.rotateClientSecret(storeId, id, kept, overlapSeconds));
      return rotated.ok ? ok({ clientSecret, ...rotated.value }) : rotated;
    });
  };
