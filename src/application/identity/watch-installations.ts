import { pendingScopes, type PlatformApp } from '../../domain/identity/platform-app.ts';
import type { Scope } from '../../domain/identity/scope.ts';
import type { PlacedPage, PlacedPageOf } from '../../domain/page.ts';
import type { WatchedInstallation } from '../../domain/ports/identity/platform-app-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Ok } from '../../domain/result.ts';

const DAY_MS = 86_400_000;

export interface InstallationOverview extends WatchedInstallation {
  /** Scopes that the app requests and the merchant has not granted. Empty after an uninstall. */
  readonly pendingScopes: readonly Scope[];
}

/** A page of the installations of the app on all stores, with what happened to them in the last day. */
export const watchInstallations =
  ({ clock, platformApps }: Pick<Ports, 'clock' | 'platformApps'>) =>
  async (app: PlatformApp, page: PlacedPage, q?: string): Promise<Ok<PlacedPageOf<InstallationOverview>>> => {
    const found = await platformApps.watch(app.id, page, { q, since: clock.now() - DAY_MS });
    const items = found.items.map((one) => ({
      ...one,
      pendingScopes: one.status === 'Uninstalled' ? [] : pendingScopes(app, one.scopes),
    }));
    return ok({ ...found, items });
  };
