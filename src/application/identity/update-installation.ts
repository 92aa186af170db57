import { grantedScopes, type Installation } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { InstallationChanges } from '../../domain/ports/identity/installation-repository.ts';
import type { Result } from '../../domain/result.ts';
import { installationResult } from './installation-result.ts';
import { resumeWork, type ResumePorts } from './resume-work.ts';

/**
 * New scopes apply from the next request, also to tokens issued before
 * (docs/specification/credentials.md, "Access tokens").
 */
export const updateInstallation =
  ({ installations, ...ports }: ResumePorts & Pick<Ports, 'installations'>) =>
  async (id: string, { scopes, ...changes }: InstallationChanges): Promise<Result<Installation, 'not_found' | 'conflict'>> => {
    const granted = scopes ? { ...changes, scopes: grantedScopes(scopes) } : changes;
    const updated = installationResult(await installations.update(id, granted));
    if (updated.ok && updated.value.status === 'Installed') {
      await resumeWork(ports)({ storeId: updated.value.storeId, installationId: id });
    }
    return updated;
  };
