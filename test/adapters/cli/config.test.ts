import { describe, expect, it } from 'vitest';

import { settings } from '../../../src/adapters/wiring/settings/config.ts';
import { runCommand } from '../../support/command-line.ts';

describe('tenon config', () => {
  const env = { ADMIN_TOKEN: 'a-token-of-24-characters', DATABASE_URL: 'postgresql://tenon:hunter2@db/tenon', PORT: '4100' };

  it('lists the settings and where each comes from, without secrets', async () => {
    const keys = { OIDC_CLIENT_SECRET: 'hunter3', INCIDENT_WEBHOOK_SECRET: `whsec_${'hunter4'.padEnd(32, 'A')}` };
    const { status, out } = await runCommand(['config'], { env: { ...env, ...keys } });
    expect(status).toBe(0);
    expect(out).toContain('PORT\t4100\tenvironment');
    expect(out).toContain('ADMIN_PORT\t4001\tdefault');
    expect(out).toContain('postgresql://tenon:***@db/tenon');
    expect(out).not.toMatch(/hunter|a-token-of-24/);
  });

  it('shows of an address that is a secret only the server that it leads to', async () => {
    const addresses = {
      INCIDENT_SLACK_URL: 'https://hooks.slack.test/services/hunter5',
      INCIDENT_WEBHOOK_URL: 'https://ops.test:8443/in?key=hunter6',
      INCIDENT_WEBHOOK_SECRET: `whsec_${'hunter4'.padEnd(32, 'A')}`,
    };
    for (const flags of [[], ['--json']]) {
      const { out } = await runCommand(['config', ...flags], { env: { ...env, ...addresses } });
      expect(out).toContain('https://hooks.slack.test/***');
      expect(out).toContain('https://ops.test:8443/***');
      expect(out).not.toContain('hunter');
    }
  });

  it.each([
    ['an @ in it', 'REDIS_URL', 'redis://user:hunt@hunter2@cache/0', 'redis://user:***@cache/0'],
    ['a / in it, which is not valid', 'DATABASE_URL', 'postgresql://a:hunt/hunter2@db/tenon', 'postgresql://a:***@db/tenon'],
    ['no name before it', 'REDIS_URL', 'redis://:hunter2@cache/0', 'redis://:***@cache/0'],
    [
      'the form of a parameter',
      'DATABASE_URL',
      'postgresql://db/tenon?password=hunter2&a=b',
      'postgresql://db/tenon?password=***&a=b',
    ],
    ['no form at all', 'INCIDENT_SLACK_URL', 'hunter2', '***'],
  ])('does not show a password with %s', async (_case, name, given, shown) => {
    const { out, err } = await runCommand(['config'], { env: { ...env, [name]: given } });
    expect(out).toContain(`${name}\t${shown}\tenvironment`);
    expect(out + err).not.toContain('hunt');
  });

  const MARK = `${'hunter2'.repeat(6)}g=`;
  const SCHEMES = ['http', 'https', 'redis', 'smtps', 'postgresql'];
  /** The settings that take one of these texts and are shown with the mark in it. */
  const shownWith = async (texts: readonly string[]): Promise<string[]> => {
    const shown = new Set<string>();
    for (const [name, { schema }] of Object.entries(settings)) {
      for (const text of texts.filter((one) => schema.safeParse(one).success)) {
        const { out } = await runCommand(['config', '--json'], { env: { [name]: text } });
        if (out.includes(MARK)) shown.add(name);
      }
    }
    return [...shown];
  };

  it('does not show the password of a URL in any setting', async () => {
    expect(await shownWith(SCHEMES.map((scheme) => `${scheme}://user:${MARK}@host/`))).toEqual([]);
  });

  it('shows free text only of settings that are known to be no secret', async () => {
    const addresses = SCHEMES.flatMap((scheme) => [`${scheme}://host/${MARK}`, `${scheme}://host/?key=${MARK}`]);
    // A new setting that is a secret is declared as one. Another one belongs here.
    expect(await shownWith([MARK, `whsec_${MARK}`, `k1:${MARK}`, ...addresses])).toEqual([
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'CONSENT_URL',
      'DATABASE_URL',
      'DATA_DIR',
      'REDIS_URL',
      'LOST_SECRET_KEYS',
      'WEBHOOK_PROXY',
      'MEDIA_STORAGE',
      'MEDIA_URL',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'INCIDENT_SMTP_URL',
    ]);
  });

  it('names an unknown setting', async () => {
    expect(await runCommand(['config'], { env: { ...env, WEBHOOK_TIMEOUT: '5' } })).toMatchObject({
      status: 0,
      err: 'WEBHOOK_TIMEOUT is not a setting, and has no effect. The nearest setting is WEBHOOK_TIMEOUT_SECONDS.\n',
    });
  });

  it('exits with 1 when a setting is not valid', async () => {
    expect(await runCommand(['config'], { env: { PORT: 'x' } })).toMatchObject({
      status: 1,
      err: expect.stringContaining('PORT'),
    });
  });
});
