import { grantedScopes } from '../../domain/identity/installation.ts';
import type { Installation } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { InstallationChanges } from '../../domain/ports/installation-repository.ts';
import { ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { isUninstalled, noInstallation } from './installation-refusals.ts';
import { resumeWork } from './resume-work.ts';
import type { ResumePorts } from './resume-work.ts';

/** Scopes count from the next request on, also for tokens that were issued before (decisions.md, 401 on API calls). */
export const updateInstallation =
  ({ installations, ...ports }: ResumePorts & Pick<Ports, 'installations'>) =>
  async (id: string, { scopes, ...changes }: InstallationChanges): Promise<Result<Installation, 'not_found' | 'conflict'>> => {
    const installation = await installations.update(id, scopes ? { ...changes, scopes: grantedScopes(scopes) } : changes);
    if (installation === null) return noInstallation();
    if (installation === 'uninstalled') return isUninstalled();
    // What was held goes on.
    const { storeId, status } = installation;
    if (status === 'Installed') await resumeWork(ports)({ storeId, installationId: id });
    return ok(installation);
  };
