import { beforeEach, describe, expect, it } from 'vitest';

import { authenticate } from '../../../src/application/identity/authenticate.ts';
import { createStore, updateStore } from '../../../src/application/identity/store-changes.ts';
import { exchangeToken } from '../../../src/application/identity/exchange-token.ts';
import { installApp } from '../../../src/application/identity/install-app.ts';
import { issueTrialToken } from '../../../src/application/identity/issue-trial-token.ts';
import { identityLookups } from '../../../src/application/identity/lookups.ts';
import { rotateClientSecret, updateInstallation } from '../../../src/application/identity/change-installation.ts';
import { uninstallApp } from '../../../src/application/identity/uninstall-app.ts';
import type { Refusal, Result } from '../../../src/domain/result.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';
import { uncounted } from '../../support/uncounted.ts';

const value = <T>(result: Result<T> | Refusal): T => {
  if (!result.ok) throw new Error(result.message);
  return result.value;
};

const open = () => openMemoryPorts();

describe('an installed app', () => {
  let ports: ReturnType<typeof open>;
  let app: { id: string; clientId: string; clientSecret: string };
  const domain = 'localhost';
  beforeEach(async () => {
    ports = open();
    const store = value(await createStore(ports, null)({ domain }));
    const installed = value(
      await installApp(ports)(store.id, {
        name: 'App',
        scopes: ['write_products', 'write_orders', 'read_customers', 'write_products'],
      }),
    );
    app = { id: installed.installation.id, clientId: installed.clientId, clientSecret: installed.clientSecret };
  });
  const exchange = (given: Partial<typeof app & { domain: string }> = {}) =>
    exchangeToken(ports)({ ...app, domain, ...given }, uncounted);
  const token = async () => value(await exchange()).accessToken;

  it('trades its credentials for a token: expiresIn 3600, scope and scopeNotYetEnforced sorted', async () => {
    expect(value(await exchange())).toEqual({
      accessToken: expect.stringMatching(/^tnn_at_/) as string,
      tokenType: 'Bearer',
      expiresIn: 3600,
      scope: 'read_orders read_products write_products',
      scopeNotYetEnforced: 'read_customers write_orders',
    });
  });
  it('a token of it is its caller, with the scopes granted now, without repeats and sorted', async () => {
    expect(await authenticate(ports)(await token(), domain)).toMatchObject({
      ok: true,
      caller: { installationId: app.id, scopes: ['read_customers', 'write_orders', 'write_products'] },
    });
  });
  it('401: wrong id or secret, or app not installed on the store of this domain, distinguished only in the log', async () => {
    const other = value(await createStore(ports, null)({ domain: 'other.test' }));
    const theirs = value(await installApp(ports)(other.id, { name: 'B', scopes: [] }));
    const refused = { ok: false, code: 'unauthenticated', message: '' };
    expect(await exchange({ clientSecret: theirs.clientSecret })).toEqual({ ...refused, reason: 'wrong_secret' });
    expect(await exchange({ clientId: theirs.clientId })).toEqual({ ...refused, reason: 'unknown_client' });
    expect(await exchange({ domain: 'other.test' })).toEqual({ ...refused, reason: 'unknown_client' });
  });
  it('401: store not active, app suspended or uninstalled, distinguished only in the log', async () => {
    const reason = async () => ({ reason: '', ...(await exchange()) }).reason;
    value(await updateInstallation(ports)(app.id, { status: 'Suspended' }));
    expect(await reason()).toBe('suspended');
    value(await uninstallApp(ports)(null, app.id));
    expect(await reason()).toBe('uninstalled');
    const [store] = (await ports.stores.list({ skip: 0, take: 1 })).items;
    await ports.stores.update(store?.id ?? '', { status: 'Inactive' });
    expect(await reason()).toBe('store_inactive');
  });
  it('401: suspended between the look at it and the token', async () => {
    const issue: typeof ports.tokens.issue = async (...given) => {
      value(await updateInstallation(ports)(app.id, { status: 'Suspended' }));
      return ports.tokens.issue(...given);
    };
    const racing = { ...ports, tokens: { ...ports.tokens, issue } };
    expect(await exchangeToken(racing)({ ...app, domain }, uncounted)).toMatchObject({ ok: false, reason: 'suspended' });
  });
  it('a token to try the API is valid for ten minutes, or for the seconds that are given', async () => {
    const made = value(await issueTrialToken(ports)(app.id));
    expect(made).toEqual({
      accessToken: expect.stringMatching(/^tnn_at_/) as string,
      expiresIn: 600,
      scopes: ['read_orders', 'read_products', 'write_products'],
    });
    expect(await authenticate(ports)(made.accessToken, domain)).toMatchObject({ ok: true, caller: { installationId: app.id } });
    const short = value(await issueTrialToken(ports)(app.id, 5));
    expect(short.expiresIn).toBe(5);
    ports.clock.advance(5_000);
    expect(await authenticate(ports)(short.accessToken, domain)).toMatchObject({ ok: false, reason: 'expired' });
    expect(await authenticate(ports)(made.accessToken, domain)).toMatchObject({ ok: true });
  });
  it('a suspended or uninstalled app, an app of an inactive store and an unknown app get no token to try the API', async () => {
    const refusal = () => issueTrialToken(ports)(app.id);
    const [store] = (await ports.stores.list({ skip: 0, take: 1 })).items;
    await ports.stores.update(store?.id ?? '', { status: 'Inactive' });
    expect(await refusal()).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^The store is inactive/) as string,
    });
    value(await updateInstallation(ports)(app.id, { status: 'Suspended' }));
    expect(await refusal()).toMatchObject({ code: 'conflict', message: 'The app is suspended, so it cannot have a token.' });
    value(await uninstallApp(ports)(null, app.id));
    expect(await refusal()).toMatchObject({ code: 'conflict', message: 'The app is uninstalled, so it cannot have a token.' });
    expect(await issueTrialToken(ports)('nobody')).toMatchObject({ code: 'not_found' });
  });
  it('a preview of its uninstallation counts what would end', async () => {
    await token();
    const counts = { deliveries: 0, subscriptions: 0, tokens: 1, mediaImports: 0, isComplete: true };
    expect(await identityLookups(ports).previewUninstall(app.id)).toEqual({ ok: true, value: counts });
    expect(await identityLookups(ports).previewUninstall('nobody')).toEqual({
      ok: false,
      code: 'not_found',
      message: 'Installation not found.',
    });
  });
  it('a bad checksum is refused before any database work', async () => {
    const text = await token();
    const changed = `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
    const gone = new Proxy(
      {},
      {
        get: () => {
          throw new Error('the database was asked');
        },
      },
    );
    const offline = {
      ...ports,
      installations: gone as typeof ports.installations,
      tokens: gone as typeof ports.tokens,
      admission: gone as typeof ports.admission,
    };
    expect(await authenticate(offline)(changed, domain)).toEqual({ ok: false, reason: 'malformed' });
    expect(await exchangeToken(offline)({ ...app, clientSecret: `${app.clientSecret}0`, domain }, uncounted)).toMatchObject({
      reason: 'malformed_client_secret',
    });
  });
  it('401: app suspended; a new token once it is installed again', async () => {
    const before = await token();
    await updateInstallation(ports)(app.id, { status: 'Suspended' });
    expect(await exchange()).toMatchObject({ ok: false, reason: 'suspended' });
    expect(await authenticate(ports)(before, domain)).toEqual({ ok: false, reason: 'suspended' });
    await updateInstallation(ports)(app.id, { status: 'Installed' });
    expect(await authenticate(ports)(await token(), domain)).toMatchObject({ ok: true });
  });
  it('401: installation removed; uninstalling again changes nothing', async () => {
    const before = await token();
    expect(await uninstallApp(ports)(null, app.id)).toEqual({ ok: true, value: null });
    expect(await uninstallApp(ports)(null, app.id)).toEqual({ ok: true, value: null });
    expect(await authenticate(ports)(before, domain)).toEqual({ ok: false, reason: 'uninstalled' });
    expect(await exchange()).toMatchObject({ reason: 'uninstalled' });
    expect(await updateInstallation(ports)(app.id, { status: 'Installed' })).toMatchObject({ code: 'conflict' });
  });
  it('an uninstall is an event for the merchant, once', async () => {
    const told: unknown[] = [];
    const run: typeof ports.transaction.run = async (cause, work) => {
      let inThisRun: readonly unknown[] = [];
      const value = await ports.transaction.run(cause, (tx) => {
        inThisRun = [];
        return work({ ...tx, events: { append: async (events) => ((inThisRun = events), []) } });
      });
      told.push(...inThisRun);
      return value;
    };
    const storeId = await ports.locator.storeOf('installation', app.id);
    for (let n = 0; n < 2; n += 1) await uninstallApp({ ...ports, transaction: { ...ports.transaction, run } })(null, app.id);
    expect(told).toMatchObject([
      { storeId, type: 'app.uninstalled', resourceId: app.id, origin: null, data: { id: app.id, name: 'App' } },
    ]);
  });
  it('scopes are changed without repeats and sorted', async () => {
    const changed = value(await updateInstallation(ports)(app.id, { scopes: ['write_orders', 'read_products', 'write_orders'] }));
    expect(changed.scopes).toEqual(['read_products', 'write_orders']);
  });
  it('Rotation: both client secrets are valid for the default overlap, then the new one alone', async () => {
    const rotated = value(await rotateClientSecret(ports, 86_400)(app.id));
    expect(rotated.previousExpiresAt).toBe(new Date(ports.clock.now() + 86_400_000).toISOString());
    expect(await exchange()).toMatchObject({ ok: true });
    ports.clock.advance(86_400_000);
    expect(await exchange()).toMatchObject({ reason: 'wrong_secret' });
    expect(await exchange({ clientSecret: rotated.clientSecret })).toMatchObject({ ok: true });
  });
  it('a domain that is taken: conflict; no such store or installation: not_found', async () => {
    expect(await createStore(ports, null)({ domain })).toMatchObject({ ok: false, code: 'conflict' });
    const other = value(await createStore(ports, null)({ domain: 'other.test' }));
    expect(await updateStore(ports, null)(other.id, { domain })).toMatchObject({ ok: false, code: 'conflict' });
    expect(await updateStore(ports, null)(ports.ids.next(), { domain })).toMatchObject({ code: 'not_found' });
    expect(await installApp(ports)(ports.ids.next(), { name: 'x', scopes: [] })).toMatchObject({ code: 'not_found' });
    expect(await uninstallApp(ports)(null, ports.ids.next())).toMatchObject({ code: 'not_found' });
  });
});
