import { beforeEach, describe, expect, it } from 'vitest';

import { acceptInstall, describeInstallRequest, refuseInstall } from '../../../src/application/identity/decide-install.ts';
import { recordAppLife, tellAppLife } from '../../../src/application/identity/record-app-life.ts';
import { getOwnInstallation, requestInstall } from '../../../src/application/identity/request-install.ts';
import type { Scope } from '../../../src/domain/identity/scope.ts';
import type { Result } from '../../../src/domain/result.ts';
import { QueueUnavailable } from '../../../src/domain/ports/webhooks/delivery-queue.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const [app, store, domain] = ['00000000-0000-4000-8000-00000000000a', 'a-store', 'shop.test'];
const redirectUrl = 'https://app.test/installed?via=x';
const CONSENT_URL = 'https://merchant.test/consent';
const INPUT = { clientId: 'client', redirectUrl, scope: 'read_orders', state: 's' };

let ports: MemoryWorld;
beforeEach(async () => {
  ports = openMemoryPorts();
  const asked = { scopes: ['write_products'] as const, optionalScopes: ['read_content', 'read_orders'] as const };
  const secrets = { clientSecret: { id: 'c', hash: '00' }, signingSecret: { id: 's', sealed: 'sealed' } };
  const urls = { redirectUrls: [redirectUrl], eventUrl: 'https://app.test/events' };
  await ports.platformApps.create({ id: app, name: 'App', clientId: 'client', ...asked, ...urls, ...secrets });
  await ports.stores.create({ id: store, domain, name: 'Shop', currency: 'EUR' });
});

const ask = (input: Partial<typeof INPUT> = {}, consentUrl = CONSENT_URL) =>
  requestInstall(ports, consentUrl)(domain, { ...INPUT, ...input });
/** The text of a request. */
const asked = async (input: Partial<typeof INPUT> = {}): Promise<string> => {
  const answer = await ask(input);
  if (!answer.ok) throw new Error(answer.message);
  return new URL(answer.value).searchParams.get('request') ?? '';
};
const describing = (id: string) => describeInstallRequest(ports)(id);
const accept = (id: string, scopes?: readonly Scope[]) => acceptInstall(ports)(id, scopes);
const refuse = (id: string) => refuseInstall(ports)(id);
const change = (changes: Parameters<typeof ports.platformApps.update>[1]) => ports.platformApps.update(app, changes);
const codeOf = (result: Result<unknown, string>) => (result.ok ? 'ok' : result.code);
const messageOf = (result: Result<unknown, string>) => (result.ok ? '' : result.message);
const installed = async () => (await ports.platformApps.onStore(app, store))?.scopes ?? null;

describe('a request to install', () => {
  it('sends the merchant to the page of consent, also one that has a query', async () => {
    const id = await asked();
    expect(await ask()).toMatchObject({ value: expect.stringMatching(/^https:\/\/merchant\.test\/consent\?request=/) as string });
    const withQuery = await ask({}, `${CONSENT_URL}?lang=en`);
    expect(withQuery).toMatchObject({ value: expect.stringContaining('?lang=en&request=') as string });
    expect(await describing(id)).toMatchObject({ value: { redirectUrl, store: { id: store }, app: { id: app } } });
  });
  it('writes nothing, and is another one each time', async () => {
    const installRequests = new Proxy(ports.installRequests, { get: () => expect.fail('nothing is looked up or written') });
    const texts = [];
    for (let n = 0; n < 2; n += 1)
      texts.push(await requestInstall({ ...ports, installRequests } as MemoryWorld, CONSENT_URL)(domain, INPUT));
    expect(texts[0]).not.toEqual(texts[1]);
  });
  it('with the largest state has an address that proxies take', async () => {
    const state = '"'.repeat(1_024);
    const text = await asked({ state });
    expect(text.length).toBeLessThan(8_000);
    expect(await refuse(text)).toMatchObject({ value: { redirectUrl: expect.stringContaining('%22'.repeat(1_024)) as string } });
  });
  it('is nothing when its text was changed, cut, or sealed for something else', async () => {
    const text = await asked();
    const other = `tnn_ir_${ports.secrets.seal('{}', 'another')}`;
    for (const wrong of [`${text}x`, text.slice(0, -1), text.slice(7), 'tnn_ir_', other])
      for (const act of [describing, accept, refuse]) expect(codeOf(await act(wrong))).toBe('not_found');
    expect(codeOf(await accept(text))).toBe('ok');
  });
  it('expires after ten minutes', async () => {
    const text = await asked();
    ports.clock.advance(599_999);
    expect(codeOf(await describing(text))).toBe('ok');
    ports.clock.advance(1);
    for (const act of [describing, accept, refuse]) expect(codeOf(await act(text))).toBe('not_found');
  });
  it('asks for what is required in any case, and for what is optional if it is named', async () => {
    const scopesOf = async (scope: string) => {
      const described = await describing(await asked({ scope }));
      return described.ok ? described.value.scopes.map((one) => one.scope) : described;
    };
    expect(await scopesOf('')).toEqual(['write_products']);
    expect(await scopesOf(' read_orders  write_products ')).toEqual(['read_orders', 'write_products']);
    expect(await scopesOf('read_orders read_content')).toEqual(['read_content', 'read_orders', 'write_products']);
  });
  it.each<[string, Partial<typeof INPUT>, RegExp]>([
    ['of an unknown app', { clientId: 'other' }, /^client_id must/],
    ['with another address', { redirectUrl: `${redirectUrl}&x` }, /^redirect_uri must/],
    ['with a scope that does not exist', { scope: 'read_everything' }, /^scope must/],
    ['with a scope that the app does not ask for', { scope: 'read_orders write_orders' }, /^scope must/],
  ])('%s is refused', async (_, input, message) => {
    const answer = await ask(input);
    expect([codeOf(answer), messageOf(answer)]).toEqual(['invalid', expect.stringMatching(message)]);
  });
  it('of a suspended app is refused, and of a store that is unknown or inactive', async () => {
    await change({ status: 'Suspended' });
    expect(messageOf(await ask())).toMatch(/^client_id must/);
    await change({ status: 'Active' });
    await ports.stores.update(store, { status: 'Inactive' });
    expect(codeOf(await ask())).toBe('not_found');
    expect(codeOf(await requestInstall(ports, CONSENT_URL)('other.test', INPUT))).toBe('not_found');
  });
});

describe('what the merchant is asked', () => {
  it('is said scope by scope: what it allows, whether it is required, and whether the app has it', async () => {
    await accept(await asked({ scope: '' }));
    const id = await asked();
    expect(await describing(id)).toMatchObject({
      ok: true,
      value: {
        id,
        app: { id: app, name: 'App' },
        store: { id: store, name: 'Shop', domain },
        scopes: [
          { scope: 'read_orders', isRequired: false, isGranted: false },
          { scope: 'write_products', isRequired: true, isGranted: true },
        ],
        redirectUrl,
      },
    });
  });
  it('leaves out what the app does not ask for by now', async () => {
    const id = await asked();
    await change({ optionalScopes: [] });
    expect(await describing(id)).toMatchObject({ value: { scopes: [{ scope: 'write_products' }] } });
    expect(await accept(id)).toMatchObject({ ok: true });
    expect(await installed()).toEqual(['write_products']);
  });
  it('is nothing where the request is unknown', async () => {
    for (const act of [describing, accept, refuse]) expect(codeOf(await act('none'))).toBe('not_found');
  });
  it('is nothing where the app or the store is gone by now', async () => {
    const id = await asked();
    const none = { get: async () => null };
    const gone = [{ platformApps: { ...ports.platformApps, ...none } }, { stores: { ...ports.stores, ...none } }];
    for (const part of gone) expect(codeOf(await describeInstallRequest({ ...ports, ...part })(id))).toBe('not_found');
  });
  it('is nothing where the app is suspended, or does not return there by now', async () => {
    const id = await asked();
    await change({ status: 'Suspended' });
    for (const act of [describing, accept, refuse]) expect(codeOf(await act(id))).toBe('conflict');
    await change({ status: 'Active', redirectUrls: ['https://app.test/other'] });
    for (const act of [describing, accept, refuse]) expect(codeOf(await act(id))).toBe('conflict');
    await change({ redirectUrls: [redirectUrl] });
    expect(codeOf(await accept(id))).toBe('ok');
  });
});

describe('a decision', () => {
  it('to accept grants all that is asked for, or what the merchant chose', async () => {
    const all = await accept(await asked());
    expect(await installed()).toEqual(['read_orders', 'write_products']);
    const id = all.ok ? all.value.installation.id : '';
    expect(all).toMatchObject({ value: { redirectUrl: `${redirectUrl}&store=${domain}&installation=${id}&state=s` } });
    await accept(await asked({ scope: 'read_content' }), ['read_content', 'write_products']);
    expect(await installed()).toEqual(['read_content', 'read_orders', 'write_products']);
  });
  it('to accept grants nothing that was not asked for, and leaves out nothing that is required', async () => {
    const id = await asked();
    for (const [scopes, named] of [
      [['write_products', 'read_content'], 'read_content'],
      [['read_orders'], 'write_products'],
    ] as const) {
      const answer = await accept(id, scopes);
      expect([codeOf(answer), messageOf(answer)]).toEqual(['invalid', expect.stringContaining(named)]);
    }
    expect(messageOf(await accept(id, []))).toContain('write_products');
    expect(await installed()).toBeNull();
    expect(codeOf(await accept(id, ['write_products', 'write_products']))).toBe('ok');
    expect(await installed()).toEqual(['write_products']);
  });
  it('of a request that lacks what the app requires by now is refused: the app must ask again', async () => {
    const id = await asked();
    await change({ scopes: ['write_content', 'write_products'] });
    expect(codeOf(await accept(id))).toBe('conflict');
    expect(await installed()).toBeNull();
  });
  it('that meets a change of the app installs nothing, and can be made again', async () => {
    const id = await asked();
    const meanwhile = { ...ports, installRequests: { ...ports.installRequests, accept: async () => 'not_asked' as const } };
    const answer = await acceptInstall(meanwhile)(id);
    expect([codeOf(answer), messageOf(answer)]).toEqual(['conflict', expect.stringMatching(/in the meantime/)]);
    expect(codeOf(await accept(id))).toBe('ok');
  });
  it('is made once', async () => {
    const [accepted, refused] = [await asked(), await asked()];
    expect([codeOf(await accept(accepted)), codeOf(await refuse(refused))]).toEqual(['ok', 'ok']);
    for (const id of [accepted, refused])
      for (const act of [describing, accept, refuse]) expect(codeOf(await act(id))).toBe('not_found');
    // Somebody else decided between the look and the decision.
    const id = await asked();
    const late = { ...ports, installRequests: { ...ports.installRequests, accept: async () => null, refuse: async () => false } };
    expect(codeOf(await acceptInstall(late)(id))).toBe('not_found');
    expect(codeOf(await refuseInstall(late)(id))).toBe('not_found');
  });
  it('to refuse installs nothing, and says so to the app', async () => {
    expect(await refuse(await asked())).toEqual({
      ok: true,
      value: { redirectUrl: `${redirectUrl}&store=${domain}&error=access_denied&state=s` },
    });
    expect(await installed()).toBeNull();
  });
  it('to accept is recorded for the event address, and answered also where the queue is away', async () => {
    const away = { ...ports.deliveryQueue, fanOut: () => Promise.reject(new QueueUnavailable(null)) };
    expect(codeOf(await acceptInstall({ ...ports, deliveryQueue: away })(await asked()))).toBe('ok');
    const broken = { ...ports.deliveryQueue, fanOut: () => Promise.reject(new Error('a bug')) };
    await expect(acceptInstall({ ...ports, deliveryQueue: broken })(await asked({ scope: 'read_content' }))).rejects.toThrow(
      'a bug',
    );
  });
});

describe('what an app sees of its installation', () => {
  const own = async (scopes: readonly Scope[]) => {
    const accepted = await accept(await asked(), scopes);
    const installationId = accepted.ok ? accepted.value.installation.id : '';
    return { storeId: store, installationId, scopes };
  };
  it('is what it has, what is pending and what is optional, and where to ask', async () => {
    const caller = await own(['write_products']);
    await change({ scopes: ['write_content', 'write_products'], optionalScopes: ['read_orders'] });
    expect(await getOwnInstallation(ports)(caller)).toEqual({
      ok: true,
      value: {
        id: caller.installationId,
        storeId: store,
        isSandbox: false,
        name: 'App',
        scopes: ['write_products'],
        pendingScopes: ['write_content'],
        optionalScopes: ['read_orders'],
        installPath: '/apps/install?client_id=client&scope=write_content+read_orders',
      },
    });
  });
  it('is nothing once it may not call, and in another store', async () => {
    const caller = await own(['write_products']);
    const see = (of: typeof caller) => getOwnInstallation(ports)(of);
    expect(codeOf(await see({ ...caller, storeId: 'other' }))).toBe('not_found');
    await ports.installations.update(store, caller.installationId, { status: 'Suspended' });
    expect(codeOf(await see(caller))).toBe('not_found');
  });
});

describe('the sweep of the events of apps', () => {
  it('looks until no store is left, and has each fanned out', async () => {
    const left = [[...Array.from({ length: 100 }, (_, n) => `store ${String(n)}`)], ['last']];
    const fannedOut: string[] = [];
    const looks: (string | undefined)[] = [];
    const record = (_limit: number, platformAppId?: string) => {
      looks.push(platformAppId);
      return Promise.resolve(left.shift() ?? []);
    };
    const fanOut = async (storeId: string) => void fannedOut.push(storeId);
    const sweep = { appLife: { record }, deliveryQueue: { ...ports.deliveryQueue, fanOut } };
    await recordAppLife(sweep)();
    expect([fannedOut.length, fannedOut.at(-1), looks]).toEqual([101, 'last', [undefined, undefined]]);
    await tellAppLife(sweep)(null);
    expect(looks).toHaveLength(2);
    await tellAppLife(sweep)(app);
    expect(looks).toEqual([undefined, undefined, app]);
  });
});
