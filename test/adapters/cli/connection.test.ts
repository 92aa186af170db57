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
    expect(findConnection(env, {})).toEqual({ url: 'http://localhost:4001', token: 'local-token' });
  });

  it('follows the settings ADMIN_PORT and ADMIN_TOKEN', () => {
    const connection = findConnection({ ...env, ADMIN_PORT: '5001', ADMIN_TOKEN: 'set' }, {});
    expect(connection).toEqual({ url: 'http://localhost:5001', token: 'set' });
  });

  it('prefers a flag to the environment, and the environment to a profile', () => {
    const given = { ...env, TENON_ADMIN_URL: 'https://env.test', TENON_ADMIN_TOKEN: 'env', TENON_PROFILE: 'shop' };
    expect(findConnection(given, { adminUrl: 'https://flag.test/' })).toEqual({ url: 'https://flag.test', token: 'env' });
    expect(findConnection(given, {})).toEqual({ url: 'https://env.test', token: 'env' });
    expect(findConnection({ ...env, TENON_PROFILE: 'shop' }, {})).toEqual({ url: 'https://shop.test', token: 'shop-token' });
  });

  it.each(['https://other.test', 'http://127.0.0.1.other.test', 'http://localhost.other.test'])(
    'does not send the token of this machine to %s',
    (adminUrl) => {
      expect(() => findConnection(env, { adminUrl })).toThrow('There is no admin token');
    },
  );

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
    expect(() => findConnection(broken, {})).toThrow(/^(?!.*shop-token).*can't be read/);
  });

  it('keeps profiles in a file that only its owner can read', () => {
    expect(statSync(profilesFile(env)).mode & 0o777).toBe(0o600);
  });
});
