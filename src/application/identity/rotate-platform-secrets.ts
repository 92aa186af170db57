import { checkOverlap } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { newClientSecret, signingSecretFor } from './new-credential.ts';
import type { RotatedClientSecret, RotatedSigningSecret } from './rotate-secrets.ts';

type RotationPorts = Pick<Ports, 'ids' | 'platformApps' | 'secrets'>;

/** Rotates the client secret for all installations at once. */
export const rotatePlatformClientSecret =
  ({ ids, platformApps, secrets }: RotationPorts, defaultOverlapSeconds: number) =>
  async (id: string, overlapSeconds = defaultOverlapSeconds): Promise<Result<RotatedClientSecret, 'not_found' | 'invalid'>> => {
    const refusal = checkOverlap(overlapSeconds);
    if (refusal) return refusal;
    const { clientSecret, kept } = newClientSecret({ ids, secrets });
    const rotated = await platformApps.rotateClientSecret(id, kept, overlapSeconds);
    return rotated ? ok({ clientSecret, ...rotated }) : notFound('Platform app');
  };

export const rotatePlatformSigningSecret =
  ({ ids, platformApps, secrets }: RotationPorts, defaultOverlapSeconds: number) =>
  async (id: string, overlapSeconds = defaultOverlapSeconds): Promise<Result<RotatedSigningSecret, 'not_found' | 'invalid'>> => {
    const refusal = checkOverlap(overlapSeconds);
    if (refusal) return refusal;
    const { signingSecret, kept } = signingSecretFor({ ids, secrets }, id);
    const rotated = await platformApps.rotateSigningSecret(id, kept, overlapSeconds);
    return rotated ? ok({ signingSecret, ...rotated }) : notFound('Platform app');
  };
