import { grantedScopes, type Installation, checkOverlap } from '../../domain/identity/installation.ts';
import { covers, type Scope } from '../../domain/identity/scope.ts';
import type { InstallationChanges, Rotated } from '../../domain/ports/identity/installation-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';
import { newClientSecret, signingSecretFor } from './new-credential.ts';
import { tellAppLife, type LifePorts } from './record-app-life.ts';
import { resumeWork, type ResumePorts } from './resume-work.ts';

/**
 * The repository's answer to a change of an installation, as a result. An uninstalled app cannot
 * change.
 */
const installationResult = <T extends object>(answer: T | 'uninstalled' | null): Result<T, 'not_found' | 'conflict'> => {
  if (answer === null) return notFound('Installation');
  return answer === 'uninstalled' ? refuse('conflict', 'The app is uninstalled, which is final.') : ok(answer);
};

const OF_MANY_STORES = refuse('conflict', 'The secrets belong to the platform app. Rotate them there, for all of its stores.');

/** The refusal for a rotation of one store's secrets where the app has its own, for all stores. */
const secretsRefusal = async (
  { installations }: Pick<Ports, 'installations'>,
  storeId: string,
  id: string,
): Promise<typeof OF_MANY_STORES | null> => {
  const installation = await installations.get(storeId, id);
  return installation !== null && installation.platformAppId !== null ? OF_MANY_STORES : null;
};

const BY_CONSENT = refuse('conflict', 'A platform app gets more scopes only when the merchant accepts an install request.');

/**
 * Detects a platform app that would get a scope without consent. The repository grants no such
 * scope either.
 */
const widens = async (
  installations: Ports['installations'],
  storeId: string,
  id: string,
  scopes: readonly Scope[],
): Promise<boolean> => {
  const present = await installations.get(storeId, id);
  if (!present?.platformAppId) return false;
  return !scopes.every((scope) => covers(present.scopes, scope));
};

/**
 * New scopes apply from the next request, also to tokens issued before
 * (docs/specification/credentials.md, "Access tokens").
 */
export const updateInstallation =
  ({ installations, locator, ...ports }: ResumePorts & LifePorts & Pick<Ports, 'installations' | 'locator'>) =>
  (id: string, { scopes, ...changes }: InstallationChanges): Promise<Result<Installation, 'not_found' | 'conflict'>> =>
    inItsStore({ locator })(id, async (storeId) => {
      if (scopes && (await widens(installations, storeId, id, scopes))) return BY_CONSENT;
      const granted = scopes ? { ...changes, scopes: grantedScopes(scopes) } : changes;
      const updated = installationResult(await installations.update(storeId, id, granted));
      if (updated.ok && updated.value.status === 'Installed') await resumeWork(ports)({ storeId, installationId: id });
      if (updated.ok) await tellAppLife(ports)(updated.value.platformAppId);
      return updated;
    });

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

/**
 * Revokes every access token of the app. Its client secret still gets new ones: if it leaked too,
 * rotate it with an overlap of 0.
 */
export const revokeTokens =
  ({ locator, tokens }: Pick<Ports, 'locator' | 'tokens'>) =>
  (id: string): Promise<Result<null, 'not_found'>> =>
    inItsStore({ locator })(id, async (storeId) => ((await tokens.revokeAll(storeId, id)) ? ok(null) : notFound('Installation')));
