import { describe, expect, it } from 'vitest';

import { EVENT_FIELDS } from '../../../src/adapters/http/webhooks/event-fields.ts';
import { createApplication } from '../../../src/application/index.ts';
import { OWNER } from '../../../src/domain/identity/operator.ts';
import { CREDENTIAL_PATTERNS } from '../../../src/domain/identity/token.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { DELIVERY } from '../../support/delivery-settings.ts';
import { NO_SANDBOXES } from '../../support/sandbox-settings.ts';

const ORIGIN = { address: '203.0.113.7', agent: 'Firefox' };
const TOKEN = 'the-admin-token-of-the-tests';
const MINUTE = 60_000;

const openWith = (ports: MemoryWorld, adminToken = TOKEN) =>
  createApplication(ports, {
    idempotencyMaxResponseBytes: 262_144,
    bulkMaxProducts: 250,
    secretOverlapSeconds: 86_400,
    ...NO_SANDBOXES,
    webhookAllowedCidrs: [],
    eventFields: EVENT_FIELDS,
    delivery: DELIVERY,
    adminToken,
    appConsoleUrl: null,
    consentUrl: 'https://console.test/console/install',
  });
const open = () => {
  const ports = openMemoryPorts();
  return { ports, app: openWith(ports), changed: openWith(ports, 'another-admin-token-of-the-tests') };
};

const sessionOf = (answer: Awaited<ReturnType<ReturnType<typeof openWith>['signIn']>>): string => {
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
};
const codeOf = async (app: ReturnType<typeof openWith>) => {
  const made = await app.createConsoleCode(OWNER, null);
  return made.ok ? made.value : expect.fail(made.message);
};
const isUsed = async (app: ReturnType<typeof openWith>, session: string): Promise<boolean> =>
  (await app.useSession(session)) !== null;
const REFUSED = {
  ok: false,
  code: 'unauthenticated',
  message: 'The token is wrong or has ended, or the login code is wrong, has expired or was used before.',
};

describe('signing in to the console', () => {
  it('with the admin token starts a session of its own each time', async () => {
    const { app } = open();
    const [one, other] = [
      sessionOf(await app.signIn({ token: TOKEN }, ORIGIN)),
      sessionOf(await app.signIn({ token: TOKEN }, ORIGIN)),
    ];
    expect(one).toMatch(CREDENTIAL_PATTERNS.session);
    expect(one).not.toBe(other);
    expect([await isUsed(app, one), await isUsed(app, other)]).toEqual([true, true]);
  });

  it('with another token starts none', async () => {
    const { app } = open();
    expect(await app.signIn({ token: `${TOKEN}x` }, ORIGIN)).toEqual(REFUSED);
  });

  it('with a code works once, within ten minutes', async () => {
    const { app, ports } = open();
    const [first, second] = [await codeOf(app), await codeOf(app)];
    expect(first).toEqual({
      code: expect.stringMatching(CREDENTIAL_PATTERNS.loginCode) as string,
      path: `/console/#code=${first.code}`,
      expiresAt: new Date(ports.clock.now() + 10 * MINUTE).toISOString(),
    });
    expect(await isUsed(app, sessionOf(await app.signIn({ code: first.code }, ORIGIN)))).toBe(true);
    expect(await app.signIn({ code: first.code }, ORIGIN)).toEqual(REFUSED);
    ports.clock.advance(10 * MINUTE);
    expect(await app.signIn({ code: second.code }, ORIGIN)).toEqual(REFUSED);
    expect(await app.signIn({ code: 'no code' }, ORIGIN)).toEqual(REFUSED);
  });
});

describe('a session of the console', () => {
  it('ends when it is signed out, and no other with it', async () => {
    const { app } = open();
    const [one, other] = [
      sessionOf(await app.signIn({ token: TOKEN }, ORIGIN)),
      sessionOf(await app.signIn({ token: TOKEN }, ORIGIN)),
    ];
    await app.signOut(one);
    expect([await isUsed(app, one), await isUsed(app, other)]).toEqual([false, true]);
  });

  it('ends when the admin token changes, and so do codes', async () => {
    const { app, changed } = open();
    const session = sessionOf(await app.signIn({ token: TOKEN }, ORIGIN));
    const value = await codeOf(app);
    expect(await isUsed(changed, session)).toBe(false);
    expect(await changed.signIn({ code: value.code }, ORIGIN)).toEqual(REFUSED);
  });

  it('ends after 30 minutes without use', async () => {
    const { app, ports } = open();
    const session = sessionOf(await app.signIn({ token: TOKEN }, ORIGIN));
    ports.clock.advance(29 * MINUTE);
    expect(await isUsed(app, session)).toBe(true);
    ports.clock.advance(29 * MINUTE);
    expect(await isUsed(app, session)).toBe(true);
    ports.clock.advance(30 * MINUTE);
    expect(await isUsed(app, session)).toBe(false);
  });

  it.each(['', 'tnn_session_', `tnn_session_${'0'.repeat(49)}`])('is not %j, which costs no look-up', async (text) => {
    const { ports } = open();
    const app = openWith({
      ...ports,
      consoleSessions: {
        ...ports.consoleSessions,
        use: () => Promise.reject(new Error('looked up')),
        end: () => Promise.reject(new Error('ended')),
      },
    });
    expect(await isUsed(app, text)).toBe(false);
    await app.signOut(text);
  });
});
