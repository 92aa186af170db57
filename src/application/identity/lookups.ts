import type { Page } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { found, ok } from '../../domain/result.ts';

export const identityLookups = ({ installations, stores }: Pick<Ports, 'installations' | 'stores'>) => ({
  getInstallation: found('Installation', installations.get),
  getStore: found('Store', stores.get),
  listInstallations: found('Store', installations.list),
  listStores: async (page: Page) => ok(await stores.list(page)),
  /** What an uninstall would end now. Nothing changes. */
  previewUninstall: found('Installation', installations.previewUninstall),
});
