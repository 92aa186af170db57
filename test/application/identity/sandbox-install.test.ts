import { beforeEach, describe, expect, it } from 'vitest';

import { putSandbox } from '../../../src/application/identity/sandboxes.ts';
import { TOO_MANY_SANDBOXES } from '../../../src/domain/identity/sandbox.ts';
import { refuse } from '../../../src/domain/result.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const ID = '00000000-0000-7000-8000-00000000000a';
const SECRETS = { clientSecret: { id: 'c', hash: '00' }, signingSecret: { id: 's', sealed: 'sealed' } };

let ports: MemoryWorld;
beforeEach(() => {
  ports = openMemoryPorts();
});

describe('a sandbox store', () => {
  const app = () =>
    ports.platformApps.create({
      ...{ id: ID, name: 'App', clientId: 'client', redirectUrls: ['https://app.test/a', 'https://app.test/b'] },
      ...{ scopes: ['write_products'], optionalScopes: [], eventUrl: null, ...SECRETS },
    });
  const put = async (changed: Partial<MemoryWorld>) =>
    putSandbox({ ...ports, ...changed }, 'sandbox.test', async () => undefined)(await app(), 'ci');

  it('has the app with all scopes that it asks for', async () => {
    const made = await put({});
    const installed = await ports.platformApps.onStore(ID, made.ok ? made.value.id : '');
    expect(installed).toMatchObject({ scopes: ['write_products'] });
  });
  it('is refused when the app is not installed on it', async () => {
    expect(await put({ installRequests: { ...ports.installRequests, accept: async () => null } })).toEqual(
      refuse('conflict', 'The app or its sandbox store has changed in the meantime. Repeat the request.'),
    );
  });
  it('is refused to an app that has as many as it may have', async () => {
    const createSandbox = async () => 'too_many' as const;
    expect(await put({ stores: { ...ports.stores, createSandbox } })).toEqual(TOO_MANY_SANDBOXES);
  });
});
