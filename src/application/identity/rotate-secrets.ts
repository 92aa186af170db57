import { checkOverlap } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { Rotated } from '../../domain/ports/identity/installation-repository.ts';
import { ok, type Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';
import { installationResult, secretsRefusal } from './installation-result.ts';
import { newClientSecret, signingSecretFor } from './new-credential.ts';

interface ClientSecret {
  readonly clientSecret: string;
}
interface SigningSecret {
  readonly signingSecret: string;
}
export type RotatedClientSecret = Rotated & ClientSecret;
export type RotatedSigningSecret = Rotated & SigningSecret;

type RotationPorts = Pick<Ports, 'ids' | 'installations' | 'locator' | 'secrets'>;
type Rotation<Made> = (
  id: string,
  overlapSeconds?: number,
) => Promise<Result<Rotated & Made, 'not_found' | 'conflict' | 'invalid'>>;

/** `rotate` makes the new secret and keeps it, where the installation has secrets of its own. */
const rotation =
  <Made extends object>(
    { installations, locator }: RotationPorts,
    defaultOverlapSeconds: number,
    rotate: (storeId: string, id: string, overlapSeconds: number) => Promise<readonly [Made, Rotated | 'uninstalled' | null]>,
  ): Rotation<Made> =>
  async (id, overlapSeconds = defaultOverlapSeconds) => {
    const refusal = checkOverlap(overlapSeconds);
    if (refusal) return refusal;
    return inItsStore({ locator })(id, async (storeId) => {
      const shared = await secretsRefusal({ installations }, storeId, id);
      if (shared) return shared;
      const [made, answer] = await rotate(storeId, id, overlapSeconds);
      const rotated = installationResult(answer);
      return rotated.ok ? ok({ ...made, ...rotated.value }) : rotated;
    });
  };

/**
 * Makes a new client secret and returns it this once. The old one stays valid for the overlap; with
 * 0 it ends now.
 */
export const rotateClientSecret = (ports: RotationPorts, defaultOverlapSeconds: number): Rotation<ClientSecret> =>
  rotation(ports, defaultOverlapSeconds, async (storeId, id, overlapSeconds) => {
    const { clientSecret, kept } = newClientSecret(ports);
    return [{ clientSecret }, await ports.installations.rotateClientSecret(storeId, id, kept, overlapSeconds)];
  });

/**
 * Makes a new signing secret and returns it this once. The old one also signs for the overlap; with
 * 0 it ends now.
 */
export const rotateSigningSecret = (ports: RotationPorts, defaultOverlapSeconds: number): Rotation<SigningSecret> =>
  rotation(ports, defaultOverlapSeconds, async (storeId, id, overlapSeconds) => {
    const { signingSecret, kept } = signingSecretFor(ports, id);
    return [{ signingSecret }, await ports.installations.rotateSigningSecret(storeId, id, kept, overlapSeconds)];
  });
