import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import { ALL_SCOPES } from '../../../src/domain/identity/scope.ts';

/** Creates what the rules need by ports. */
export const creatingBy = ({ stores, installations }: Pick<StoragePorts, 'stores' | 'installations'>, nextId: () => string) => ({
  aStore: async (domain: string): Promise<string> => {
    const id = nextId();
    await stores.create({ id, domain, name: `Shop of ${domain}`, currency: 'EUR' });
    return id;
  },
  anInstallation: async (storeId: string, clientId: string): Promise<string> => {
    const id = nextId();
    const hash = Buffer.from(id.slice(0, 32)).toString('hex');
    const secrets = { clientSecret: { id: nextId(), hash }, signingSecret: { id: nextId(), sealed: 'sealed' } };
    await installations.create({ ...{ id, storeId, name: 'App', clientId, scopes: ALL_SCOPES }, ...secrets });
    return id;
  },
});
