import { randomBytes } from 'node:crypto';

import { portsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import type { RulesWorld } from './rules-world.ts';
import { ifWritten, openShop, productOf, type Shop } from './shop.ts';

const reasonOf = async ({ admission }: StoragePorts, token: string, domain: string): Promise<string> => {
  const answer = await admission.authenticate(token, domain);
  return answer.ok ? 'admitted' : answer.reason;
};

/** A token is refused for the first of several reasons, in the order of the port. */
export const refusalFaults = async (world: RulesWorld): Promise<string[]> => {
  const ports = portsSoFar(world.ports);
  const { storeId, app, domain } = await openShop(world, ports, 'refusing');
  const token = randomBytes(32).toString('hex');
  const seen = await ifWritten(async () => {
    await ports.tokens.issue(storeId, app, token);
    const reasons = [await reasonOf(ports, token, domain)];
    await ports.installations.update(storeId, app, { status: 'Suspended' });
    await ports.stores.update(storeId, { status: 'Inactive' });
    reasons.push(await reasonOf(ports, token, 'elsewhere.test'), await reasonOf(ports, token, domain));
    await ports.stores.update(storeId, { status: 'Active' });
    reasons.push(await reasonOf(ports, token, domain));
    await ports.installations.update(storeId, app, { status: 'Installed' });
    reasons.push(await reasonOf(ports, token, domain));
    await ports.transaction.run(null, (tx) => tx.installations.uninstall(storeId, app));
    reasons.push(await reasonOf(ports, token, domain));
    return reasons.join();
  });
  const expected = 'admitted,wrong_store,store_inactive,suspended,revoked,uninstalled';
  return seen === undefined || seen === expected ? [] : [`a token is refused as ${seen}, and not as ${expected}`];
};

const WORD = 'Bücher ÇA Ørsted';
const IN_CAPITALS = 'BÜCHER ça ØRSTED';
const PAGE = { skip: 0, take: 50 };

const SEARCHES: Readonly<Record<string, (ports: StoragePorts, shop: Shop) => Promise<boolean>>> = {
  'stores.list': async (ports, { storeId }) => {
    await ports.stores.update(storeId, { name: WORD });
    return (await ports.stores.list(PAGE, { q: IN_CAPITALS })).items.some(({ id }) => id === storeId);
  },
  'installations.list': async (ports, { storeId, app }) => {
    await ports.installations.update(storeId, app, { name: WORD });
    return (await ports.installations.list(storeId, PAGE, { q: IN_CAPITALS }))?.items.length === 1;
  },
  'subscriptions.watch': async (ports, { storeId, app, subscription }) => {
    const found = await ports.subscriptions.find(storeId, subscription);
    if (!found) return false;
    await ports.subscriptions.delete({ storeId, installationId: app }, subscription);
    await ports.subscriptions.create({ ...found, storeId, description: WORD, signingSecret: null });
    return (await ports.subscriptions.watch(storeId, PAGE, { q: IN_CAPITALS }))?.items.length === 1;
  },
  'productReader.list': async (ports, { storeId }) => {
    await ports.transaction.run(null, (tx) => tx.products.save(storeId, [{ ...productOf(storeId), name: WORD }]));
    const page = await ports.productReader.list(storeId, PAGE, { q: IN_CAPITALS });
    return (JSON.parse(Buffer.from(page?.bytes ?? []).toString()) as { total: number }).total === 1;
  },
};

/** A search in any case folds letters beyond ASCII too. */
export const foldingFaults = async (world: RulesWorld): Promise<string[]> => {
  const ports = portsSoFar(world.ports);
  const shop = await openShop(world, ports, 'folding');
  const faults: string[] = [];
  for (const [name, isFound] of Object.entries(SEARCHES))
    if ((await ifWritten(() => isFound(ports, shop))) === false) faults.push(`${name} does not find ${WORD} by ${IN_CAPITALS}`);
  return faults;
};
