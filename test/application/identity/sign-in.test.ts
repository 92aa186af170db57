import { describe, expect, it } from 'vitest';

import { createApplication } from '../../../src/application/index.ts';
import { CREDENTIAL_PATTERNS } from '../../../src/domain/identity/token.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { DELIVERY } from '../../support/delivery-settings.ts';

const TOKEN = 'the-admin-token-of-the-tests';
const MINUTE = 60_000;

const openWith = (ports: MemoryWorld, adminToken = TOKEN) =>
  createApplication(ports, {
    idempotencyMaxResponseBytes: 262_144,
    bulkMaxProducts: 250,
    secretOverlapSeconds: 86_400,
    webhookAllowedCidrs: [],
    delivery: DELIVERY,
    adminToken,
    appConsoleUrl: null,
  });
const open = () => {
  const ports = openMemoryPorts();
  return { ports, app: openWith(ports), changed: openWith(ports, 'another-admin-token-of-the-tests') };
};

const sessionOf = (answer: Awaited<ReturnType<ReturnType<typeof openWith>['signIn']>>): string => {
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
};
const REFUSED = {
  ok: false,
  code: 'unauthenticated',
  message: 'The admin token is wrong, or the login code is wrong, has expired or was used before.',
};

describe('signing in to the console', () => {
  it('with the admin token starts a session of its own each time', async () => {
    const { app } = open();
    const [one, other] = [sessionOf(await app.signIn({ token: TOKEN })), sessionOf(await app.signIn({ token: TOKEN }))];
    expect(one).toMatch(CREDENTIAL_PATTERNS.session);
    expect(one).not.toBe(other);
    expect([await app.useSession(one), await app.useSession(other)]).toEqual([true, true]);
  });

  it('with another token starts none', async () => {
    const { app } = open();
    expect(await app.signIn({ token: `${TOKEN}x` })).toEqual(REFUSED);
  });

  it('with a code works once, within ten minutes', async () => {
    const { app, ports } = open();
    const { value: first } = await app.createConsoleCode();
    const { value: second } = await app.createConsoleCode();
    expect(first).toEqual({
      code: expect.stringMatching(CREDENTIAL_PATTERNS.loginCode) as string,
      path: `/console/#code=${first.code}`,
      expiresAt: new Date(ports.clock.now() + 10 * MINUTE).toISOString(),
    });
    expect(await app.useSession(sessionOf(await app.signIn({ code: first.code })))).toBe(true);
    expect(await app.signIn({ code: first.code })).toEqual(REFUSED);
    ports.clock.advance(10 * MINUTE);
    expect(await app.signIn({ code: second.code })).toEqual(REFUSED);
    expect(await app.signIn({ code: 'no code' })).toEqual(REFUSED);
  });
});

describe('a session of the console', () => {
  it('ends when it is signed out, and no other with it', async () => {
    const { app } = open();
    const [one, other] = [sessionOf(await app.signIn({ token: TOKEN })), sessionOf(await app.signIn({ token: TOKEN }))];
    await app.signOut(one);
    expect([await app.useSession(one), await app.useSession(other)]).toEqual([false, true]);
  });

  it('ends when the admin token changes, and so do codes', async () => {
    const { app, changed } = open();
    const session = sessionOf(await app.signIn({ token: TOKEN }));
    const { value } = await app.createConsoleCode();
    expect(await changed.useSession(session)).toBe(false);
    expect(await changed.signIn({ code: value.code })).toEqual(REFUSED);
  });

  it('ends after 30 minutes without use', async () => {
    const { app, ports } = open();
    const session = sessionOf(await app.signIn({ token: TOKEN }));
    ports.clock.advance(29 * MINUTE);
    expect(await app.useSession(session)).toBe(true);
    ports.clock.advance(29 * MINUTE);
    expect(await app.useSession(session)).toBe(true);
    ports.clock.advance(30 * MINUTE);
    expect(await app.useSession(session)).toBe(false);
  });

  it.each(['', 'tnn_session_', `tnn_session_${'0'.repeat(49)}`])('is not %j, which costs no look-up', async (text) => {
    const { ports } = open();
    const app = openWith({
      ...ports,
      consoleSessions: { ...ports.consoleSessions, use: () => Promise.reject(new Error('looked up')) },
    });
    expect(await app.useSession(text)).toBe(false);
  });
});
