import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { parseConfig } from '../../src/adapters/wiring/settings/config.ts';
import { textOf } from './source.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://db/tenon',
  ADMIN_TOKEN: 'a-token-of-24-characters',
  SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
};

/** The settings that a file for hosting sets, without those that it leaves empty. */
const FILES: readonly (readonly [path: string, read: (text: string) => Record<string, string>])[] = [
  ['deploy/kubernetes/config.yaml', (text) => (parse(text) as { data: Record<string, string> }).data],
  [
    'deploy/compose.env',
    (text) => Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value])),
  ],
];

describe('whose X-Forwarded headers count is not decided by a file for everybody', () => {
  it.each(FILES)('%s does not start before somebody has written it', (path, read) => {
    const given = { ...PRODUCTION, ...read(textOf(path)) };
    expect(parseConfig(given)).toMatchObject({
      ok: false,
      message: 'TRUSTED_PROXIES: must be the addresses or ranges of your own proxies, such as 10.0.0.10, separated by commas',
    });
    expect(parseConfig({ ...given, TRUSTED_PROXIES: '10.0.0.10' })).toMatchObject({ ok: true });
  });
});
