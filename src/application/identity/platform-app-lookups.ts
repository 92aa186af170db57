import type { PlacedPage } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { found, ok } from '../../domain/result.ts';

export const platformAppLookups = ({ platformApps }: Pick<Ports, 'platformApps'>) => ({
  getPlatformApp: found('Platform app', platformApps.get),
  listPlatformApps: async (page: PlacedPage) => ok(await platformApps.list(page)),
  listPlatformInstallations: found('Platform app', platformApps.installations),
});
