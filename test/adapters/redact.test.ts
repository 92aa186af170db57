import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { withLocalSecrets } from '../../src/adapters/startup/local-secrets.ts';
import { errorLine } from '../../src/adapters/node/logger.ts';
import { createSecrets } from '../../src/adapters/node/secrets.ts';
import { INSTALL_REQUEST_PREFIX } from '../../src/domain/identity/install-request.ts';
import { redactCredentials, redactingToken } from '../../src/domain/identity/redact.ts';
import {
  CREDENTIAL_PATTERNS,
  CREDENTIAL_PREFIXES,
  formatCredential,
  randomBytesOf,
  type CredentialKind,
} from '../../src/domain/identity/token.ts';

const madeAtStart = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'tenon-redact-'));
  try {
    return (await withLocalSecrets({ DATA_DIR: join(directory, 'data') }, () => Promise.resolve(true))).ADMIN_TOKEN;
  } finally {
    await rm(directory, { recursive: true });
  }
};

const kinds = Object.keys(CREDENTIAL_PATTERNS) as CredentialKind[];
const secrets = createSecrets([{ kid: 'k1', key: Buffer.alloc(32, 1) }]);
const made: readonly (readonly [string, string])[] = [
  ...kinds.map((kind) => [kind, formatCredential(kind, secrets.randomBytes(randomBytesOf(kind)))] as const),
  ['signing secret', secrets.signingSecret()],
  ['admin token', await madeAtStart()],
  ['sealed install request', `${INSTALL_REQUEST_PREFIX}${Buffer.from(secrets.randomBytes(48)).toString('base64url')}`],
];

describe('the log masks', () => {
  it.each(made)('every %s: alone, in a path, percent-encoded, and in an error', (_kind, credential) => {
    const prefix = CREDENTIAL_PREFIXES.find((each) => credential.startsWith(each)) ?? '';
    const body = credential.slice(prefix.length);
    expect(prefix).not.toBe('');
    expect(redactCredentials(credential)).toBe(`${prefix}[cut]`);
    expect(redactCredentials(`/apps/${credential}`)).toBe(`/apps/${prefix}[cut]`);
    expect(redactCredentials(`/apps/${encodeURIComponent(credential).replaceAll('_', '%5F')}`)).not.toContain(body.slice(0, 8));
    const line = errorLine(new Error(`no "${credential}" here`, { cause: new Error(credential) }));
    expect(line).toMatchObject({ message: `no "${prefix}[cut]" here: ${prefix}[cut]` });
    expect(JSON.stringify(line)).not.toContain(body);
  });

  it('an admin token that the operator chose, also percent-encoded, and nothing of a token that is another', () => {
    const token = 'Grüße+aus/dem$Lager.2026';
    const redact = redactingToken(token);
    expect(redact(`/admin/${token}/x`)).toBe('/admin/[cut]/x');
    expect(redact(`/admin/${encodeURIComponent(token)}`)).toBe('/admin/[cut]');
    expect(
      redact(`/${[...new TextEncoder().encode(token)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`),
    ).toBe('/[cut]');
    expect(redact(`/admin/${token.replace('$', '.')}`)).toBe(`/admin/${token.replace('$', '.')}`);
    expect(redact(made[0]?.[1] ?? '')).toMatch(/\[cut\]$/);
    expect(JSON.stringify(errorLine(new Error(`no ${token}`), redact))).not.toContain('Lager');
  });

  it('no other text', () => {
    expect(redactCredentials('/apps/catalog/products?tnn=1')).toBe('/apps/catalog/products?tnn=1');
  });

  it('each kind of secret has one prefix', () => {
    expect(new Set(made.map(([, text]) => CREDENTIAL_PREFIXES.find((each) => text.startsWith(each)))).size).toBe(made.length);
    expect(CREDENTIAL_PREFIXES).toHaveLength(made.length);
  });
});
