import { beforeEach, describe, expect, it } from 'vitest';

import { updateInstallation } from '../../../src/application/identity/change-installation.ts';
import { updatePlatformApp } from '../../../src/application/identity/platform-apps.ts';
import type { Installation } from '../../../src/domain/identity/installation.ts';
import type { Scope } from '../../../src/domain/identity/scope.ts';
import { notFound, ok } from '../../../src/domain/result.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const APP = 'platform-app';
const STORE = 'store';
const SECRETS = { clientSecret: { id: 'c', hash: '00' }, signingSecret: { id: 's', sealed: 'sealed' } };

let ports: MemoryWorld;
const update = (changed: Partial<MemoryWorld> = {}) => updatePlatformApp({ ...ports, ...changed }, async () => null);

beforeEach(async () => {
  ports = openMemoryPorts();
  const scopes = { scopes: ['read_products'] as const, optionalScopes: ['read_orders'] as const };
  const urls = { redirectUrls: ['https://app.test/'], eventUrl: null };
  await ports.platformApps.create({ id: APP, name: 'App', clientId: 'client', ...scopes, ...urls, ...SECRETS });
  await ports.stores.create({ id: STORE, domain: 'shop.test', name: 'Shop', currency: 'EUR' });
});

describe('an app that asks for less', () => {
  type Answer = readonly Scope[] | 'uninstalled' | null;
  /** Each batch is one installation that has these scopes. The answer is what it keeps. */
  const narrowed = async (...answers: Answer[]): Promise<number> => {
    const left = [...answers];
    let batches = 0;
    const beyondManifest = async (): Promise<readonly Installation[]> => {
      batches += 1;
      const has: Scope[] = ['read_products', 'write_products'];
      return left.length === 0 ? [] : [{ id: 'one', storeId: STORE, scopes: has } as unknown as Installation];
    };
    const after: MemoryWorld['installations']['update'] = async () => {
      const answer = left.shift() ?? null;
      return answer === null || typeof answer === 'string' ? answer : ({ scopes: answer } as unknown as Installation);
    };
    await update({
      platformApps: { ...ports.platformApps, beyondManifest },
      installations: { ...ports.installations, update: after },
    })(APP, { name: 'Other' });
    return batches;
  };

  it.each<[string, Answer[], number]>([
    ['one loses a scope', [['read_products'], ['read_products']], 3],
    ['one is uninstalled meanwhile', ['uninstalled'], 2],
    ['one is gone meanwhile', [null], 2],
  ])('is narrowed until a batch changes nothing: %s', async (_, answers, batches) => {
    expect(await narrowed(...answers)).toBe(batches);
  });
  it('is not narrowed for ever where an installation keeps its scopes', async () => {
    const kept: Answer = ['read_products', 'write_products'];
    expect(await narrowed(kept, kept, kept)).toBe(1);
  });
  it('that is gone meanwhile is answered as it was changed', async () => {
    const get = async (): Promise<null> => null;
    expect(await update({ platformApps: { ...ports.platformApps, get } })(APP, { name: 'Other' })).toMatchObject({
      value: { name: 'Other' },
    });
  });
});

it('a change of its name leaves what an app asks for', async () => {
  const asked = { scopes: ['read_products'], optionalScopes: ['read_orders'] };
  expect(await update()(APP, { name: 'Other' })).toMatchObject({ value: { name: 'Other', ...asked } });
  expect(await ports.platformApps.get(APP)).toMatchObject(asked);
});

it('what an app asks for is stored sorted, each scope once', async () => {
  const given: unknown[] = [];
  const change: MemoryWorld['platformApps']['update'] = (id, changes) => {
    given.push(changes);
    return ports.platformApps.update(id, changes);
  };
  const scopes = ['write_orders', 'read_content', 'write_orders'] as const;
  await update({ platformApps: { ...ports.platformApps, update: change } })(APP, { scopes });
  expect(given).toEqual([{ scopes: ['read_content', 'write_orders'] }]);
});

describe('the scopes of an installation', () => {
  const id = '00000000-0000-7000-8000-00000000000a';
  beforeEach(() =>
    ports.installations.create({ id, storeId: STORE, name: 'Own', clientId: id, scopes: ['read_products'], ...SECRETS }),
  );

  it('of an app of one store are widened without consent', async () => {
    expect(await updateInstallation(ports)(id, { scopes: ['write_orders', 'read_products'] })).toMatchObject({
      value: { scopes: ['read_products', 'write_orders'] },
    });
  });
  it('are not changed when it is gone meanwhile', async () => {
    const gone = async (): Promise<null> => null;
    const installations = { ...ports.installations, get: gone, update: gone };
    expect(await updateInstallation({ ...ports, installations })(id, { scopes: ['read_orders'] })).toEqual(
      notFound('Installation'),
    );
    expect(await updateInstallation(ports)(id, { name: 'Other' })).toEqual(
      ok(expect.objectContaining({ name: 'Other', scopes: ['read_products'] })),
    );
  });
});
