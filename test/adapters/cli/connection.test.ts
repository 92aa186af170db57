import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findConnection } from '../../../src/adapters/cli/admin/connection.ts';
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
  it('is by default that of a server on this machine, with the token of its first start', () => {
    expect(findConnection(env, {})).toEqual({ url: 'http://127.0.0.1:4001', token: 'local-token' });
  });

  it('follows the settings ADMIN_PORT and ADMIN_TOKEN', () => {
    const connection = findConnection({ ...env, ADMIN_PORT: '5001', ADMIN_TOKEN: 'set' }, {});
    expect(connection).toEqual({ url: 'http://127.0.0.1:5001', token: 'set' });
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:4001'],
    ['::', 'http://[::1]:4001'],
    ['10.0.0.5', 'http://10.0.0.5:4001'],
    ['fd00::5', 'http://[fd00::5]:4001'],
    ['localhost', 'http://127.0.0.1:4001'],
  ])('is that of a server with ADMIN_HOST=%s', (ADMIN_HOST, url) => {
    expect(findConnection({ ...env, ADMIN_HOST }, {})).toEqual({ url, token: 'local-token' });
  });

  it('dials the address of this machine for localhost', () => {
    const local = { url: 'http://127.0.0.1:4001', token: 'local-token' };
    expect(findConnection(env, { adminUrl: 'http://localhost:4001' })).toEqual(local);
    expect(findConnection({ ...env, ADMIN_HOST: '::1' }, { adminUrl: 'http://localhost:4001' }).url).toBe('http://[::1]:4001');
    const own = { TENON_ADMIN_TOKEN: 'own', TENON_ADMIN_URL: 'http://localhost:5001' };
    expect(findConnection({ ...env, ...own }, {})).toEqual({ url: 'http://127.0.0.1:5001', token: 'own' });
    const secure = { ...own, TENON_ADMIN_URL: 'https://localhost:5001' };
    expect(findConnection({ ...env, ...secure }, {}).url).toBe('https://localhost:5001');
  });

  it('prefers a flag to the environment, and the environment to a profile', () => {
    const given = { ...env, TENON_ADMIN_URL: 'https://env.test', TENON_ADMIN_TOKEN: 'env', TENON_PROFILE: 'shop' };
    expect(findConnection(given, { adminUrl: 'https://flag.test/' })).toEqual({ url: 'https://flag.test', token: 'env' });
    expect(findConnection(given, {})).toEqual({ url: 'https://env.test', token: 'env' });
    expect(findConnection({ ...env, TENON_PROFILE: 'shop' }, {})).toEqual({ url: 'https://shop.test', token: 'shop-token' });
  });

  it.each([
    ...['https://other.test', 'http://127.0.0.1.other.test', 'http://localhost.other.test'],
    // Another user of this machine may listen there.
    ...['http://[::1]:4001', 'http://127.0.0.2:4001', 'http://127.0.0.1:9999', 'http://localhost:9999', 'http://localhost'],
    ...['https://127.0.0.1:4001', 'https://localhost:4001'],
  ])('does not send the token of this machine to %s', (adminUrl) => {
    expect(() => findConnection(env, { adminUrl })).toThrow('There is no admin token');
  });

  it('sends the token of this machine to the port that its settings name, and to no other', () => {
    const moved = { ...env, ADMIN_PORT: '9999', ADMIN_TOKEN: 'set' };
    expect(findConnection(moved, { adminUrl: 'http://127.0.0.1:9999' }).token).toBe('set');
    expect(() => findConnection(moved, { adminUrl: 'http://127.0.0.1:4001' })).toThrow('There is no admin token');
  });

  it('does not send the token of a profile to another address', () => {
    expect(() => findConnection(env, { profile: 'shop', adminUrl: 'https://other.test' })).toThrow('There is no admin token');
  });

  it.each(['localhost:4001', 'ftp://shop.test', 'nonsense', 'http://localhost@other.test', 'https://shop.test/admin'])(
    'refuses the address %s',
    (adminUrl) => {
      expect(() => findConnection(env, { adminUrl })).toThrow('--admin-url must be a URL');
    },
  );

  it('refuses an unknown profile, and a damaged file without quoting it', () => {
    expect(() => findConnection(env, { profile: 'none' })).toThrow('There is no profile none');
    const broken = { ...env, XDG_CONFIG_HOME: mkdtempSync(join(home, 'xdg-')) };
    writeProfiles(broken, { profiles: {} });
    writeFileSync(profilesFile(broken), '{"profiles": "shop-token"}');
    expect(() => findConnection(broken, {})).toThrow(/^(?!.*shop-token).*is not a valid profiles file/);
  });

  it('keeps profiles in a file that only its owner can read', () => {
    expect(statSync(profilesFile(env)).mode & 0o777).toBe(0o600);
  });
});
