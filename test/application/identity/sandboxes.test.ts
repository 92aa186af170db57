import { beforeEach, expect, it } from 'vitest';

import { putSandbox } from '../../../src/application/identity/sandboxes.ts';
import { sandboxUses } from '../../../src/application/sandbox-uses.ts';
import { defaultOf, parseConfig } from '../../../src/adapters/wiring/settings/config.ts';
import { MAX_ERASED_SANDBOXES, MAX_SANDBOXES, isReservedDomain } from '../../../src/domain/identity/sandbox.ts';
import type { PlatformApp } from '../../../src/domain/identity/platform-app.ts';
import type { Ports } from '../../../src/domain/ports/index.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';
import { NO_SANDBOXES } from '../../support/sandbox-settings.ts';

const SETTINGS = { ...NO_SANDBOXES, sandboxDomain: 'sandbox.test' };

let ports: ReturnType<typeof openMemoryPorts>;
let app: PlatformApp;
beforeEach(async () => {
  ports = openMemoryPorts();
  app = await ports.platformApps.create({
    id: ports.ids.next(),
    name: 'App',
    clientId: 'client',
    redirectUrls: ['https://app.test/'],
    scopes: ['write_products'],
    optionalScopes: ['read_orders'],
    eventUrl: null,
    clientSecret: { id: 'client', hash: '00' },
    signingSecret: { id: 'signing', sealed: 'sealed' },
  });
});

const uses = (changed: Partial<Ports> = {}) => sandboxUses({ ...ports, ...changed }, SETTINGS);
const namesOf = async () => (await uses().listSandboxes(app)).value.map(({ name }) => name);

it('a reset beyond the limit is refused before anything is erased', async () => {
  const kept = { domain: `kept-${app.id.slice(-12)}.sandbox.test`, name: 'kept', currency: 'EUR' };
  for (let n = 0; n <= MAX_ERASED_SANDBOXES; n += 1) await ports.stores.createSandbox({ ...kept, id: ports.ids.next() }, app.id);
  expect(await uses().putSandbox(app, 'kept')).toMatchObject({
    code: 'conflict',
    message: 'Too many sandbox stores of the app are being erased. Try again in a minute.',
  });
  expect(await namesOf()).toEqual(['kept']);
});

it('at the limit, one that is there is reset, and another is refused', async () => {
  for (let n = 0; n < MAX_SANDBOXES; n += 1) await uses().putSandbox(app, `n${n}`);
  expect(await uses().putSandbox(app, 'n0')).toMatchObject({ ok: true });
  expect(await uses().putSandbox(app, 'more')).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('at most 5') as string,
  });
  expect((await namesOf()).toSorted()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
});

it('one that was interrupted is made again by the repeated request', async () => {
  const interrupted = { ...ports.installRequests, accept: () => Promise.reject(new Error('interrupted')) };
  await expect(uses({ installRequests: interrupted }).putSandbox(app, 'ci')).rejects.toThrow('interrupted');
  const made = await uses().putSandbox(app, 'ci');
  const installed = made.ok && (await ports.platformApps.onStore(app.id, made.value.id));
  expect(installed).toMatchObject({ scopes: ['read_orders', 'write_products'] });
  expect(await namesOf()).toEqual(['ci']);
});

it('the app that is suspended meanwhile is not installed', async () => {
  await ports.platformApps.update(app.id, { status: 'Suspended' });
  expect(await uses().putSandbox(app, 'ci')).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('in the meantime') as string,
  });
});

it.each<[string, () => Partial<Ports>]>([
  [
    'filled',
    () => ({
      stores: {
        ...ports.stores,
        createSandbox: async (given, appId) => {
          const made = await ports.stores.createSandbox(given, appId);
          await ports.storeErasure.accept(given.id, given.domain);
          return made;
        },
      },
    }),
  ],
  [
    'answered for',
    () => ({
      installRequests: {
        ...ports.installRequests,
        accept: async (request, consent) => {
          const { storeId } = request;
          const installed = await ports.installRequests.accept(request, consent);
          await ports.storeErasure.accept(storeId, (await ports.stores.get(storeId))?.domain ?? '');
          return installed;
        },
      },
    }),
  ],
])('one that another request erases before it is %s is refused, and the repeated request makes it', async (_when, changed) => {
  expect(await uses(changed()).putSandbox(app, 'ci')).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('in the meantime') as string,
  });
  expect(await uses().putSandbox(app, 'ci')).toMatchObject({ ok: true });
  expect(await namesOf()).toEqual(['ci']);
});

it('one is filled, and deleted by its name alone', async () => {
  const filled: unknown[] = [];
  const fill = async (...given: unknown[]) => void filled.push(given);
  await uses().putSandbox(app, 'kept');
  const made = await putSandbox(ports, 'sandbox.test', fill)(app, 'ci');
  expect(filled).toEqual([[made.ok && made.value.id, 'EUR']]);
  expect(await uses().deleteSandbox(app, 'ci')).toEqual({ ok: true, value: null });
  expect(await namesOf()).toEqual(['kept']);
});

it.each(['', 'CI', '-ci', 'ci-', 'a_b', 'x'.repeat(33)])('the name %j is refused', async (name) => {
  const refused = { code: 'invalid', message: expect.stringContaining('1 to 32 characters') as string };
  expect(await uses().putSandbox(app, name)).toMatchObject(refused);
  expect(await uses().deleteSandbox(app, name)).toMatchObject(refused);
});

it('a domain that the store of a merchant has is not taken', async () => {
  const domain = `ci-${app.id.slice(-12)}.sandbox.test`;
  await ports.stores.create({ id: 'merchants', domain, name: 'Store', currency: 'EUR' });
  expect(await uses().putSandbox(app, 'ci')).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(domain) as string,
  });
  expect(await uses().deleteSandbox(app, 'ci')).toMatchObject({ code: 'not_found', message: 'Sandbox store not found.' });
  expect(await ports.stores.get('merchants')).toMatchObject({ domain });
});

it('without SANDBOX_DOMAIN, there are none; in production, that is the default', async () => {
  expect(await sandboxUses(ports, NO_SANDBOXES).putSandbox(app, 'ci')).toMatchObject({ code: 'conflict' });
  expect(await sandboxUses(ports, NO_SANDBOXES).deleteSandbox(app, 'ci')).toMatchObject({ code: 'conflict' });
  expect(defaultOf('SANDBOX_DOMAIN')).toBe('localhost');
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://db/tenon', ADMIN_TOKEN: 'x'.repeat(32) };
  const SECRET_KEYS = `a:${Buffer.alloc(32).toString('base64')}`;
  expect(parseConfig({ ...production, SECRET_KEYS })).toMatchObject({ value: { SANDBOX_DOMAIN: undefined } });
  expect(parseConfig({ SANDBOX_DOMAIN: 'Try.Example.com' })).toMatchObject({ value: { SANDBOX_DOMAIN: 'try.example.com' } });
  expect(parseConfig({ SANDBOX_DOMAIN: 'https://x' })).toMatchObject({ ok: false });
});

it.each([
  ['localhost', 'localhost', false],
  ['shop.localhost', 'localhost', false],
  ['ci-0123456789ab.localhost', 'localhost', true],
  ['a.ci-0123456789ab.localhost', 'localhost', false],
  ['try.example.com', 'try.example.com', true],
  ['any.try.example.com', 'try.example.com', true],
  ['nottry.example.com', 'try.example.com', false],
  ['try.example.com', null, false],
])('the domain %s below %s: is it kept for sandbox stores? %s', (domain, base, isKept) => {
  expect(isReservedDomain(domain, base)).toBe(isKept);
});
