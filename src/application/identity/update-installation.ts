import { grantedScopes, type Installation } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { InstallationChanges } from '../../domain/ports/identity/installation-repository.ts';
import type { Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';
import { installationResult } from './installation-result.ts';
import { resumeWork, type ResumePorts } from './resume-work.ts';

/**
 * New scopes apply from the next request, also to tokens issued before
 * (docs/specification/credentials.md, "Access tokens").
 */
export const updateInstallation =
  ({ installations, locator, ...ports }: ResumePorts & Pick<Ports, 'installations' | 'locator'>) =>
  (id: string, { scopes, ...changes }: InstallationChanges): Promise<Result<Installation, 'not_found' | 'conflict'>> =>
    inItsStore({ locator })(id, async (storeId) => {
      const granted = scopes ? { ...changes, scopes: grantedScopes(scopes) } : changes;
      const updated = installationResult(await installations.update(storeId, id, granted));
      if (updated.ok && updated.value.status === 'Installed') await resumeWork(ports)({ storeId, installationId: id });
      return updated;
    });
