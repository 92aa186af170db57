import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { findConnection } from '../../../src/adapters/cli/admin/connection.ts';
import { recordServer } from '../../../src/adapters/startup/server-record.ts';
import { profilesFile, writeProfiles } from '../../../src/adapters/cli/admin/profiles.ts';

let home = '';
let env: Record<string, string> = {};

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'tenon-cli-'));
  writeFileSync(join(home, 'secrets.json'), JSON.stringify({ adminToken: 'local-token', secretKeys: 'k1:x' }));
  env = { HOME: home, DATA_DIR: home };
  writeProfiles(env, { profiles: { shop: { adminUrl: 'https://shop.test', adminToken: 'shop-token' } } });
});
afterAll(() => {
  rmSync(home, { recursive: true });
});

describe('the connection to the admin API', () => {
  it('is by default that of a server on this machine, with the token of its first start', async () => {
    expect(await findConnection(env, {})).toMatchObject({ url: 'http://127.0.0.1:4001', token: 'local-token' });
  });

  it('follows the settings ADMIN_PORT and ADMIN_TOKEN', async () => {
    const connection = await findConnection({ ...env, ADMIN_PORT: '5001', ADMIN_TOKEN: 'set' }, {});
    expect(connection).toMatchObject({ url: 'http://127.0.0.1:5001', token: 'set' });
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:4001'],
    ['::', 'http://[::1]:4001'],
    ['10.0.0.5', 'http://10.0.0.5:4001'],
    ['fd00::5', 'http://[fd00::5]:4001'],
    ['localhost', 'http://127.0.0.1:4001'],
  ])('is that of a server with ADMIN_HOST=%s', async (ADMIN_HOST, url) => {
    expect(await findConnection({ ...env, ADMIN_HOST }, {})).toMatchObject({ url, token: 'local-token' });
  });

  it('dials the address of this machine for localhost', async () => {
    const local = { url: 'http://127.0.0.1:4001', token: 'local-token' };
    expect(await findConnection(env, { adminUrl: 'http://localhost:4001' })).toMatchObject(local);
    expect((await findConnection({ ...env, ADMIN_HOST: '::1' }, { adminUrl: 'http://localhost:4001' })).url).toBe(
      'http://[::1]:4001',
    );
    const own = { TENON_ADMIN_TOKEN: 'own', TENON_ADMIN_URL: 'http://localhost:5001' };
    expect(await findConnection({ ...env, ...own }, {})).toMatchObject({ url: 'http://127.0.0.1:5001', token: 'own' });
    const secure = { ...own, TENON_ADMIN_URL: 'https://localhost:5001' };
    expect((await findConnection({ ...env, ...secure }, {})).url).toBe('https://localhost:5001');
  });

  it('prefers a flag to the environment, and the environment to a profile', async () => {
    const given = { ...env, TENON_ADMIN_URL: 'https://env.test', TENON_ADMIN_TOKEN: 'env', TENON_PROFILE: 'shop' };
    expect(await findConnection(given, { adminUrl: 'https://flag.test/' })).toMatchObject({
      url: 'https://flag.test',
      token: 'env',
    });
    expect(await findConnection(given, {})).toMatchObject({ url: 'https://env.test', token: 'env' });
    expect(await findConnection({ ...env, TENON_PROFILE: 'shop' }, {})).toMatchObject({
      url: 'https://shop.test',
      token: 'shop-token',
    });
  });

  it.each([
    ...['https://other.test', 'http://127.0.0.1.other.test', 'http://localhost.other.test'],
    // Another user of this machine may listen there.
    ...['http://[::1]:4001', 'http://127.0.0.2:4001', 'http://127.0.0.1:9999', 'http://localhost:9999', 'http://localhost'],
    ...['https://127.0.0.1:4001', 'https://localhost:4001'],
  ])('does not send the token of this machine to %s', async (adminUrl) => {
    await expect(findConnection(env, { adminUrl })).rejects.toThrow('There is no admin token');
  });

  it('sends the token of this machine to the port that its settings name, and to no other', async () => {
    const moved = { ...env, ADMIN_PORT: '9999', ADMIN_TOKEN: 'set' };
    expect((await findConnection(moved, { adminUrl: 'http://127.0.0.1:9999' })).token).toBe('set');
    await expect(findConnection(moved, { adminUrl: 'http://127.0.0.1:4001' })).rejects.toThrow('There is no admin token');
  });

  it('does not send the token of a profile to another address', async () => {
    await expect(findConnection(env, { profile: 'shop', adminUrl: 'https://other.test' })).rejects.toThrow(
      'There is no admin token',
    );
  });

  it.each(['localhost:4001', 'ftp://shop.test', 'nonsense', 'http://localhost@other.test', 'https://shop.test/admin'])(
    'refuses the address %s',
    async (adminUrl) => {
      await expect(findConnection(env, { adminUrl })).rejects.toThrow('--admin-url must be a URL');
    },
  );

  it('refuses an unknown profile, and a damaged file without quoting it', async () => {
    await expect(findConnection(env, { profile: 'none' })).rejects.toThrow('There is no profile none');
    const broken = { ...env, XDG_CONFIG_HOME: mkdtempSync(join(home, 'xdg-')) };
    writeProfiles(broken, { profiles: {} });
    writeFileSync(profilesFile(broken), '{"profiles": "shop-token"}');
    await expect(findConnection(broken, {})).rejects.toThrow(/^(?!.*shop-token).*is not a valid profiles file/);
  });

  it('keeps profiles in a file that only its owner can read', () => {
    expect(statSync(profilesFile(env)).mode & 0o777).toBe(0o600);
  });

  describe('where the server of the data directory has noted its address', () => {
    let folder = '';
    let there: Record<string, string> = {};
    beforeEach(async () => {
      folder = mkdtempSync(join(home, 'data-'));
      writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ adminToken: 'its-token' }));
      there = { HOME: home, DATA_DIR: folder };
      await recordServer(folder, 'http://127.0.0.1:4101');
    });
    const moveOn = (changes: object): void => {
      const path = join(folder, 'server.json');
      writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...changes }));
    };

    it('is that server, and says from which file its token is', async () => {
      const connection = { url: 'http://127.0.0.1:4101', token: 'its-token', origin: join(folder, 'secrets.json') };
      expect(await findConnection(there, {})).toEqual(connection);
      expect(await findConnection(there, { adminUrl: 'http://localhost:4101' })).toEqual(connection);
    });

    it.each([
      ['a flag', {}, { adminUrl: 'http://127.0.0.1:4001' }],
      ['a variable', { TENON_ADMIN_URL: 'http://127.0.0.1:4001' }, {}],
      ['a setting', { ADMIN_PORT: '4001' }, {}],
    ])('sends its token to no other, which %s names', async (_what, more, flags) => {
      await expect(findConnection({ ...there, ...more }, flags)).rejects.toThrow(
        `There is no admin token for http://127.0.0.1:4001. The server of ${folder} is at http://127.0.0.1:4101.`,
      );
    });

    it.each([
      ['has ended', { pid: 999_999_999 }],
      ['was another process of that number', { birth: 'another' }],
    ])('sends nothing where the server %s: a stranger may listen there', async (_what, changes) => {
      moveOn(changes);
      await expect(findConnection(there, {})).rejects.toMatchObject({
        status: 6,
        message: expect.stringContaining(`The server of ${folder} is not running.`) as string,
      });
    });

    it('sends a token that the environment sets to that server', async () => {
      const set = await findConnection({ ...there, ADMIN_TOKEN: 'set' }, {});
      expect(set).toEqual({ url: 'http://127.0.0.1:4101', token: 'set', origin: 'ADMIN_TOKEN' });
    });

    it('takes a damaged note for none', async () => {
      writeFileSync(join(folder, 'server.json'), '{"adminUrl');
      expect((await findConnection(there, {})).url).toBe('http://127.0.0.1:4001');
    });
  });
});
