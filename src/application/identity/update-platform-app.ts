import { manifestScopes, sortedScopes, type PlatformApp } from '../../domain/identity/platform-app.ts';
import type { PlatformAppChanges } from '../../domain/ports/identity/platform-app-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { checkRedirectUrls } from './create-platform-app.ts';

/** Installations that are narrowed before the next are looked up. */
const BATCH = 100;

/**
 * A suspension needs the one row of the app: each request and each delivery looks at it. Scopes that the app no longer asks for
 * are taken from each installation, which also drops what was queued by them. From the change of the app on, nobody can grant
 * them. A request that is interrupted leaves the remaining installations to its repetition.
 */
export const updatePlatformApp =
  ({ installations, platformApps }: Pick<Ports, 'installations' | 'platformApps'>) =>
  async (id: string, changes: PlatformAppChanges): Promise<Result<PlatformApp, 'not_found' | 'invalid'>> => {
    const refusal = checkRedirectUrls(changes.redirectUrls ?? []);
    if (refusal) return refusal;
    const present = await platformApps.get(id);
    if (present === null) return notFound('Platform app');
    const { scopes = present.scopes, optionalScopes = present.optionalScopes } = changes;
    const asked = changes.scopes || changes.optionalScopes ? sortedScopes({ scopes, optionalScopes }) : {};
    const updated = await platformApps.update(id, { ...changes, ...asked });
    if (updated === null) return notFound('Platform app');
    const allowed = manifestScopes(updated);
    for (let beyond; (beyond = await platformApps.beyondManifest(id, BATCH)).length > 0;) {
      for (const { storeId, id: installationId } of beyond)
        await installations.update(storeId, installationId, { scopes: allowed });
    }
    return ok(updated);
  };
