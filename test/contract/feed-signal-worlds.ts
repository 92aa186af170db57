import type { Ids } from '../../src/domain/ports/ids.ts';
import type { SignalWorld, WatchingApp } from './feed-signal.contract.ts';

/** An installation that may watch the feed of its store. */
export const aWatchingApp = async ({ stores, installations }: SignalWorld['ports'], ids: Ids): Promise<WatchingApp> => {
  const [storeId, installationId] = [ids.next(), ids.next()];
  await stores.create({ id: storeId, domain: `${storeId}.test`, name: 'Store', currency: 'EUR' });
  const hash = installationId.replaceAll('-', '').repeat(2);
  const secrets = { clientSecret: { id: ids.next(), hash }, signingSecret: { id: ids.next(), sealed: 'sealed' } };
  const app = { id: installationId, storeId, name: 'App', clientId: installationId, scopes: [] };
  await installations.create({ ...app, ...secrets });
  return { storeId, installationId };
};
