import { checkOverlap } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { Rotated } from '../../domain/ports/identity/installation-repository.ts';
import { ok, type Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';
import { installationResult, secretsRefusal } from './installation-result.ts';
import { newSigningSecret } from './new-credential.ts';

export type RotatedSigningSecret = Rotated & { readonly signingSecret: string };

/**
 * Makes a new signing secret and returns it this once. The old one also signs for the overlap; with
 * 0 it ends now.
 */
export const rotateSigningSecret =
  (
    { ids, installations, locator, secrets }: Pick<Ports, 'ids' | 'installations' | 'locator' | 'secrets'>,
    defaultOverlapSeconds: number,
  ) =>
  async (
    id: string,
    overlapSeconds = defaultOverlapSeconds,
  ): Promise<Result<RotatedSigningSecret, 'not_found' | 'conflict' | 'invalid'>> => {
    const refusal = checkOverlap(overlapSeconds);
    if (refusal) return refusal;
    return inItsStore({ locator })(id, async (storeId) => {
      const shared = await secretsRefusal({ installations }, storeId, id);
      if (shared) return shared;
      const { signingSecret, kept } = newSigningSecret({ ids, secrets }, id);
      const rotated = installationResult(await installations.rotateSigningSecret(storeId, id, kept, overlapSeconds));
      return rotated.ok ? ok({ signingSecret, ...rotated.value }) : rotated;
    });
  };
