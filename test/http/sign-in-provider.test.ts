import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openApp, type OpenApp } from '../support/app.ts';
import { auditedAs, consoleOf } from '../support/console-sign-in.ts';
import { CLIENT, OTHER_CLIENT, startProvider, type Account, type OddAnswer, type TestProvider } from '../support/oidc.ts';

const ORIGIN = 'https://console.shop.example';
const NO_ATTEMPT = 'The sign-in began in another browser, was used before, or took longer than 5 minutes. Begin again.';
const FOREIGN = 'The answer of Example Login does not belong to this sign-in. Begin again.';
const AWAY = 'Example Login does not answer, or does not know this server. Try again later, or sign in another way.';

type Console = ReturnType<typeof consoleOf>;
type Answer = Awaited<ReturnType<Console['signIn']>>;

let app: OpenApp;
let own: Console;
let provider: TestProvider;
let people = 0;
beforeAll(async () => {
  provider = await startProvider([`${ORIGIN}/console/sign-in`]);
  app = await openApp({
    ROLE: 'api',
    CONSOLE_URL: ORIGIN,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Example Login',
  });
  own = consoleOf(app, { Host: 'console.shop.example' });
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
beforeEach(() => {
  provider.forges((claims) => claims);
  provider.answers(null);
});

/** An operator with an address, and the account of the provider that has it. */
const aPerson = async () => {
  people += 1;
  const email = `ada-${String(people)}@example.com`;
  const person = await own.anOperator({ name: `Ada ${String(people)}`, email });
  return { ...person, email, account: { sub: `sub-${String(people)}`, email: email.toUpperCase(), email_verified: true } };
};
const begin = async () => {
  const { status, body, cookie } = await own.begin('provider');
  expect(status).toBe(200);
  return { url: (body as { url: string }).url, cookie };
};
/** Signs in as this account, whose browser goes to the address that `change` makes of the provider's. */
const signInAs = async (account: Account | null, change = (url: string): string => url): Promise<Answer> => {
  provider.signsIn(account);
  const { url, cookie } = await begin();
  return own.signIn({ provider: await provider.visit(change(url)) }, cookie);
};
const told = ({ status, body, headers }: Answer) => [
  status,
  (body as { detail?: string }).detail,
  [headers['set-cookie']].join().includes('tnn_session_'),
];
const methodsOf = async (id: string) => {
  const { body } = await app.admin('get', `/admin/operators/${id}/sign-in-methods`).expect(200);
  return (body as { items: { id: string; kind: string; name: string; lastUsedAt: string | null }[] }).items;
};

describe('the identity provider', () => {
  it('signs the operator in who has its verified address, and connects the account', async () => {
    const { id, name, account } = await aPerson();
    expect((await own.call('get', '/console/session')).body).toMatchObject({ ways: { provider: 'Example Login' } });
    const answer = await signInAs(account);
    expect(told(answer)).toEqual([200, undefined, true]);
    expect(await own.whois(own.sessionOf(answer))).toBe(name);
    expect(await methodsOf(id)).toMatchObject([
      { kind: 'provider', name: account.email, lastUsedAt: expect.stringMatching(/Z$/) as string },
    ]);
    expect((await auditedAs(app, 'Sign in with Example Login'))[0]).toBe(name);
    const { body } = await app.admin('get', '/admin/audit?take=1').expect(200);
    expect(body).toMatchObject({ items: [{ way: 'console', body: { connectedAccount: account.email } }] });
  });

  it('signs the same operator in once the account is connected, also when its address has changed', async () => {
    const { name, account } = await aPerson();
    await signInAs(account);
    const moved = { ...account, email: 'elsewhere@example.com', email_verified: false };
    expect(await own.whois(own.sessionOf(await signInAs(moved)))).toBe(name);
  });

  it('sends the person to its own page, with PKCE, a state and a nonce, and back to the console alone', async () => {
    const { url, cookie } = await begin();
    const { origin, searchParams } = new URL(url);
    expect([origin, searchParams.get('redirect_uri')]).toEqual([provider.issuer, `${ORIGIN}/console/sign-in`]);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: CLIENT.id,
      scope: 'openid email',
    });
    // Nothing of the address tells what only the server and this browser have.
    for (const text of [searchParams.get('state'), searchParams.get('nonce')]) expect(cookie.Cookie).not.toContain(text);
  });
});

describe('nobody is signed in', () => {
  it.each([
    ['without an address', { sub: 'x' }, /did not send your email address/],
    ['with one that is not verified', { email_verified: false }, /has not verified .* Verify the address there/],
    ['with an address that may be verified or not', { email_verified: undefined }, /has not verified/],
    [
      'that no operator has',
      { email: 'stranger@example.com' },
      /^No operator has the email address stranger@example.com\. Ask an owner/,
    ],
  ])('by an account %s', async (_what, change, message) => {
    const { id, account } = await aPerson();
    const given = 'sub' in change ? change : { ...account, ...change };
    const answer = await signInAs(given);
    expect(told(answer)).toEqual([401, expect.stringMatching(message) as string, false]);
    expect(await methodsOf(id)).toEqual([]);
  });

  it('by an address that two operators have', async () => {
    const { email, account } = await aPerson();
    await own.anOperator({ name: `${email} again`, email });
    expect(told(await signInAs(account))).toEqual([
      401,
      `Several operators have the email address ${account.email}. Ask an owner to give each one an address of its own.`,
      false,
    ]);
  });

  it('by another account that has the address of a connected operator, until an owner removes the first', async () => {
    const { id, name, account } = await aPerson();
    await signInAs(account);
    const taken = { ...account, sub: `${account.sub}-again` };
    expect(told(await signInAs(taken))).toEqual([401, expect.stringMatching(/connected to another account/) as string, false]);
    const [connected] = await methodsOf(id);
    await app.admin('delete', `/admin/operators/${id}/sign-in-methods/${connected?.id ?? ''}`).expect(204);
    expect(await own.whois(own.sessionOf(await signInAs(taken)))).toBe(name);
  });

  it('as an operator who has ended', async () => {
    const { id, account } = await aPerson();
    await signInAs(account);
    await app.admin('delete', `/admin/operators/${id}`).expect(200);
    expect(told(await signInAs(account))).toEqual([401, expect.stringMatching(/^No operator has/) as string, false]);
  });

  it('who does not want to', async () => {
    expect(told(await signInAs(null))).toEqual([401, 'You did not sign in at Example Login.', false]);
  });

  it.each([
    [
      'a nonce of another sign-in',
      (url: string) => url.replace(/nonce=[^&]+/, 'nonce=another-nonce'),
      (claims: object) => claims,
    ],
    [
      'a state of another sign-in',
      (url: string) => url.replace(/state=[^&]+/, 'state=another-state'),
      (claims: object) => claims,
    ],
    [
      'a code of another client',
      (url: string) => url.replace(`client_id=${CLIENT.id}`, `client_id=${OTHER_CLIENT}`),
      (claims: object) => claims,
    ],
    ['a token for another audience', (url: string) => url, (claims: object) => ({ ...claims, aud: OTHER_CLIENT })],
    ['a token of another issuer', (url: string) => url, (claims: object) => ({ ...claims, iss: 'https://evil.test' })],
    ['a token that has expired', (url: string) => url, (claims: object) => ({ ...claims, exp: 1_000_000_000 })],
    ['a token without a nonce', (url: string) => url, (claims: object) => ({ ...claims, nonce: undefined })],
  ])('with %s', async (_what, change, forge) => {
    const { account } = await aPerson();
    provider.forges(forge as Parameters<TestProvider['forges']>[0]);
    expect(told(await signInAs(account, change))).toEqual([401, FOREIGN, false]);
  });

  it('with the answer of another browser, without an attempt, or with one that was used', async () => {
    const { account } = await aPerson();
    provider.signsIn(account);
    const [mine, theirs] = [await begin(), await begin()];
    const query = await provider.visit(theirs.url);
    // An attacker sends the victim's browser the answer of the attacker's own sign-in.
    expect(told(await own.signIn({ provider: query }, mine.cookie))).toEqual([401, FOREIGN, false]);
    expect(told(await own.signIn({ provider: query }))).toEqual([401, NO_ATTEMPT, false]);
    expect(told(await own.signIn({ provider: query }, theirs.cookie))).toEqual([200, undefined, true]);
    expect(told(await own.signIn({ provider: query }, theirs.cookie))).toEqual([401, FOREIGN, false]);
  });

  it('with the attempt of a passkey', async () => {
    const { account } = await aPerson();
    provider.signsIn(account);
    const query = await provider.visit((await begin()).url);
    const { cookie } = await own.begin('passkey');
    expect(told(await own.signIn({ provider: query }, cookie))).toEqual([401, NO_ATTEMPT, false]);
  });

  it.each(['', 'code=x', 'state=x&code=x', '%', 'x'.repeat(8_000)])('with the answer %j', async (query) => {
    const { cookie } = await begin();
    expect((await own.signIn({ provider: query }, cookie)).status).toBe(401);
  });
});

describe('a provider that is out of order', () => {
  it('is said so, and links sign in as before', async () => {
    const person = await aPerson();
    provider.signsIn(person.account);
    const { url, cookie } = await begin();
    const query = await provider.visit(url);
    provider.answers({ status: 502 });
    const answer = await own.signIn({ provider: query }, cookie);
    expect([told(answer), answer.headers['retry-after']]).toEqual([[503, AWAY, false], '1']);
    expect(await own.whois((await own.anOperator({ name: `${person.name} by link` })).cookie)).not.toBeNull();
  });

  it('is said so where it does not take the credentials of this server', async () => {
    const { account } = await aPerson();
    provider.signsIn(account);
    const { url, cookie } = await begin();
    const query = await provider.visit(url);
    provider.answers({ status: 401, headers: { 'WWW-Authenticate': 'Basic realm="clients"' } });
    expect(told(await own.signIn({ provider: query }, cookie))).toEqual([503, AWAY, false]);
  });

  const described = (metadata: object): OddAnswer => ({
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  it.each<[string, (issuer: string) => OddAnswer]>([
    ['describes another issuer', () => described({ issuer: 'https://other.example' })],
    ['describes no address to sign in at', (issuer) => described({ issuer })],
    [
      'describes itself at too great length',
      (issuer) => described({ issuer, authorization_endpoint: `${issuer}/auth`, more: 'x'.repeat(2 ** 20) }),
    ],
    ['wants credentials for its description', () => ({ status: 401, headers: { 'WWW-Authenticate': 'Basic realm="x"' } })],
  ])('is said so where it %s', async (_what, answer) => {
    const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };
    const late = await openApp({ ROLE: 'api', CONSOLE_URL: ORIGIN, ...settings }, app);
    try {
      provider.answers(answer(provider.issuer));
      expect((await consoleOf(late, { Host: 'console.shop.example' }).begin('provider')).status).toBe(503);
    } finally {
      await late.stop();
    }
  });

  it('delays no start, and is asked again at the next sign-in', async () => {
    provider.answers({ status: 503 });
    const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };
    const late = await openApp({ ROLE: 'api', CONSOLE_URL: ORIGIN, ...settings }, app);
    try {
      const there = consoleOf(late, { Host: 'console.shop.example' });
      expect((await there.begin('provider')).status).toBe(503);
      // Without OIDC_NAME.
      expect((await there.call('get', '/console/session')).body).toMatchObject({
        ways: { provider: new URL(provider.issuer).host },
      });
      provider.answers(null);
      expect((await there.begin('provider')).status).toBe(200);
    } finally {
      await late.stop();
    }
  });
});

it('a server without a provider says so', async () => {
  const plain = await openApp({ ROLE: 'api' }, app);
  try {
    const there = consoleOf(plain);
    expect((await there.call('get', '/console/session')).body).toMatchObject({ ways: { provider: null } });
    expect((await there.begin('provider')).status).toBe(409);
  } finally {
    await plain.stop();
  }
});

it('neither the secret of the client nor a code or a token is in the log', async () => {
  const { account } = await aPerson();
  provider.signsIn(account);
  const { url, cookie } = await begin();
  const query = await provider.visit(url);
  await own.signIn({ provider: query }, cookie).expect(200);
  await own.signIn({ provider: query }, cookie).expect(401);
  const log = app.log.join('\n');
  expect(log).toContain('A sign-in at the identity provider failed.');
  for (const secret of [CLIENT.secret, new URLSearchParams(query).get('code') ?? '', cookie.Cookie])
    expect(log).not.toContain(secret);
});
