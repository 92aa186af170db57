import type { PlacedPage } from '../../domain/page.ts';
import type { StoreFilter } from '../../domain/ports/identity/store-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { orNotFound, ok } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';
import { locateRequests } from './sealed-install-request.ts';

export const identityLookups = (ports: Pick<Ports, 'installations' | 'locator' | 'secrets' | 'stores'>) => {
  const { installations, stores } = ports;
  const getInstallation = orNotFound('Installation', installations.get);
  const previewUninstall = orNotFound('Installation', installations.previewUninstall);
  return {
    /** The store of what has this id, where the caller's stores decide whether it may be seen. */
    storeOf: locateRequests(ports).storeOf,
    getInstallation: (id: string) => inItsStore(ports)(id, (storeId) => getInstallation(storeId, id)),
    getStore: orNotFound('Store', stores.get),
    listInstallations: orNotFound('Store', installations.list),
    listStores: async (page: PlacedPage, filter?: StoreFilter) => ok(await stores.list(page, filter)),
    /** Counts what an uninstall would end now. Nothing changes. */
    previewUninstall: (id: string) => inItsStore(ports)(id, (storeId) => previewUninstall(storeId, id)),
  };
};
