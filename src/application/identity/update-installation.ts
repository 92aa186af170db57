import { grantedScopes, type Installation } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { InstallationChanges } from '../../domain/ports/identity/installation-repository.ts';
import { covers, type Scope } from '../../domain/identity/scope.ts';
import { refuse, type Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';
import { installationResult } from './installation-result.ts';
import { tellAppLife, type LifePorts } from './record-app-life.ts';
import { resumeWork, type ResumePorts } from './resume-work.ts';

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
