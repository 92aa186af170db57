import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ADMIN_TOKEN, openApp, type OpenApp } from '../support/app.ts';
import { androidAttestation, ownAttestation } from '../support/attestation.ts';
import { auditedAs, consoleOf } from '../support/console-sign-in.ts';
import { createSoftPasskey, type SoftPasskey } from '../support/soft-passkey.ts';

const ORIGIN = 'https://console.shop.example';
const NO_ATTEMPT = 'The sign-in began in another browser, was used before, or took longer than 5 minutes. Begin again.';
const REFUSED = 'The answer of the passkey is not valid for this console. Try again, or sign in another way.';
const UNKNOWN = 'This server does not know the passkey, or its operator has ended. Sign in another way.';
const COPIED = 'The passkey was used elsewhere with a later counter, so it may be a copy. Sign in another way, and remove it.';

type Console = ReturnType<typeof consoleOf>;
type Person = Awaited<ReturnType<Console['anOperator']>>;
type Odd = NonNullable<Parameters<SoftPasskey['use']>[1]>;

let app: OpenApp;
let own: Console;
let people = 0;
beforeAll(async () => {
  app = await openApp({ ROLE: 'api', CONSOLE_URL: `${ORIGIN}/`, TRUSTED_PROXIES: '127.0.0.1' });
  own = consoleOf(app, { Host: 'console.shop.example' });
});
afterAll(() => app.close());

const aPerson = (): Promise<Person> => {
  people += 1;
  return own.anOperator({ name: `Ada ${String(people)}` });
};
const challengeFor = async ({ cookie }: Person) =>
  (await own.call('post', '/console/api/operator/passkey-challenges', cookie).expect(201)).body as {
    attempt: string;
    options: Parameters<SoftPasskey['make']>[0] & { excludeCredentials: { id: string }[] };
  };
const add = ({ cookie }: Person, attempt: string, credential: object, name = 'Laptop') =>
  own.call('post', '/console/api/operator/passkeys', cookie).send({ name, attempt, credential });
/** A person with a passkey. */
const aPersonWith = async (passkey: SoftPasskey): Promise<Person & { readonly methodId: string }> => {
  const person = await aPerson();
  const { attempt, options } = await challengeFor(person);
  const { body } = await add(person, attempt, passkey.make(options)).expect(201);
  return { ...person, methodId: (body as { id: string }).id };
};
const signInWith = async (passkey: SoftPasskey, odd: Odd = {}) => {
  const { body, cookie } = await own.begin('passkey');
  return own.signIn({ passkey: passkey.use(body, odd) }, cookie);
};
const told = ({ status, body, headers }: Awaited<ReturnType<typeof signInWith>>) => [
  status,
  (body as { detail?: string }).detail,
  // Nothing of a session.
  [headers['set-cookie']].join().includes('tnn_session_'),
];

describe('a passkey', () => {
  it('is added by the operator who is signed in, listed with its last use, and signs in the next time', async () => {
    const passkey = createSoftPasskey(ORIGIN);
    const person = await aPersonWith(passkey);
    const listed = await own.call('get', '/console/api/operator/sign-in-methods', person.cookie).expect(200);
    expect(listed.body).toMatchObject({ items: [{ kind: 'passkey', name: 'Laptop', lastUsedAt: null }] });
    const signedIn = await signInWith(passkey);
    expect(told(signedIn)).toEqual([200, undefined, true]);
    expect(await own.whois(own.sessionOf(signedIn))).toBe(person.name);
    const { body } = await app.admin('get', `/admin/operators/${person.id}/sign-in-methods`).expect(200);
    expect(body).toMatchObject({ items: [{ name: 'Laptop', lastUsedAt: expect.stringMatching(/Z$/) as string }] });
    expect(await auditedAs(app, 'Add a passkey')).toContain(person.name);
    expect((await auditedAs(app, 'Sign in with a passkey'))[0]).toBe(person.name);
    expect(await auditedAs(app, 'Sign in with a link')).toContain(person.name);
  });

  it('is removed by its operator or by an owner, and then signs in no longer', async () => {
    const removals = [
      (person: Person, id: string) => own.call('delete', `/console/api/operator/sign-in-methods/${id}`, person.cookie),
      (person: Person, id: string) => app.admin('delete', `/admin/operators/${person.id}/sign-in-methods/${id}`),
    ];
    for (const remove of removals) {
      const passkey = createSoftPasskey(ORIGIN);
      const person = await aPersonWith(passkey);
      await remove(person, person.methodId).expect(204);
      expect(told(await signInWith(passkey))).toEqual([401, UNKNOWN, false]);
      await remove(person, person.methodId).expect(404);
    }
    expect((await auditedAs(app, 'Remove one of your sign-in methods')).length).toBe(2);
    expect(await auditedAs(app, 'Remove a sign-in method of an operator')).toEqual(['Owner', 'Owner']);
  });

  it('of another operator is not listed, and not removed', async () => {
    const [mine, theirs] = [await aPersonWith(createSoftPasskey(ORIGIN)), await aPersonWith(createSoftPasskey(ORIGIN))];
    const listed = await own.call('get', '/console/api/operator/sign-in-methods', mine.cookie).expect(200);
    expect((listed.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([mine.methodId]);
    await own.call('delete', `/console/api/operator/sign-in-methods/${theirs.methodId}`, mine.cookie).expect(404);
    await app.admin('delete', `/admin/operators/${mine.id}/sign-in-methods/${theirs.methodId}`).expect(404);
  });

  it('of an operator who has ended signs in no longer', async () => {
    const passkey = createSoftPasskey(ORIGIN);
    const { id } = await aPersonWith(passkey);
    await app.admin('delete', `/admin/operators/${id}`).expect(200);
    expect(told(await signInWith(passkey))).toEqual([401, UNKNOWN, false]);
  });
});

describe('an answer of a passkey', () => {
  let passkey: SoftPasskey;
  let person: Person;
  beforeAll(async () => {
    passkey = createSoftPasskey(ORIGIN);
    person = await aPersonWith(passkey);
  });

  it('is taken once: what is replayed starts no second session', async () => {
    const { body, cookie } = await own.begin('passkey');
    const answer = passkey.use(body);
    const [first, second] = await Promise.all([own.signIn({ passkey: answer }, cookie), own.signIn({ passkey: answer }, cookie)]);
    expect([first.status, second.status].sort()).toEqual([200, 401]);
    expect(told(await own.signIn({ passkey: answer }, cookie))).toEqual([401, NO_ATTEMPT, false]);
  });

  it('is taken once, also when its challenge is signed out as a session', async () => {
    const { body, cookie } = await own.begin('passkey');
    const answer = passkey.use(body);
    const started = own.sessionOf(await own.signIn({ passkey: answer }, cookie).expect(200));
    const { challenge } = body as { challenge: string };
    await own.call('delete', '/console/session', { Cookie: `${started.Cookie.split('=')[0] ?? ''}=${challenge}` }).expect(204);
    expect(told(await own.signIn({ passkey: answer }, cookie))).toEqual([401, NO_ATTEMPT, false]);
  });

  it('to a challenge of another browser, or without its attempt, is refused', async () => {
    const [one, other] = [await own.begin('passkey'), await own.begin('passkey')];
    expect(told(await own.signIn({ passkey: passkey.use(one.body) }, other.cookie))).toEqual([401, REFUSED, false]);
    expect(told(await own.signIn({ passkey: passkey.use(one.body) }))).toEqual([401, NO_ATTEMPT, false]);
    expect(told(await own.signIn({ passkey: passkey.use(one.body) }, { Cookie: `${one.cookie.Cookie}x` }))).toEqual([
      401,
      NO_ATTEMPT,
      false,
    ]);
  });

  it('to a challenge for adding a passkey is refused', async () => {
    const { attempt, options } = await challengeFor(person);
    const { cookie } = await own.begin('passkey');
    const name = cookie.Cookie.split('=')[0] ?? '';
    const answer = passkey.use({ challenge: options.challenge, rpId: options.rp.id });
    expect(told(await own.signIn({ passkey: answer }, { Cookie: `${name}=${attempt}` }))).toEqual([401, NO_ATTEMPT, false]);
  });

  it.each([
    ['of a page of another origin', { origin: 'https://console.shop.example.evil.test' }],
    ['of the same host over http', { origin: 'http://console.shop.example' }],
    ['without the check of its owner', { isVerified: false }],
    ['for the handle of another operator', { userHandle: 'b3RoZXI' }],
  ] as const)('%s is refused', async (_what, odd) => {
    expect(told(await signInWith(passkey, odd))).toEqual([401, REFUSED, false]);
  });

  it('that is signed by another key is refused', async () => {
    const other = createSoftPasskey(ORIGIN);
    await aPersonWith(other);
    const { body, cookie } = await own.begin('passkey');
    const answer = { ...other.use(body), id: passkey.id, rawId: passkey.id };
    answer.response.userHandle = passkey.use(body).response.userHandle;
    expect(told(await own.signIn({ passkey: answer }, cookie))).toEqual([401, REFUSED, false]);
  });

  it.each([[7], [6], [0]])('with the counter 7 and then %d is refused as a copy', async (counter) => {
    const counting = createSoftPasskey(ORIGIN, { counts: true });
    await aPersonWith(counting);
    expect(told(await signInWith(counting, { counter: 7 }))).toEqual([200, undefined, true]);
    expect(told(await signInWith(counting, { counter }))).toEqual([401, COPIED, false]);
    expect(told(await signInWith(counting, { counter: 8 }))).toEqual([200, undefined, true]);
  });

  it.each([
    [{}],
    [{ id: 'a', rawId: 'a', type: 'public-key', response: {} }],
    [{ id: '%', rawId: 'a', type: 'public-key', response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' } }],
    [null],
  ])('%j is not an answer', async (given) => {
    const { cookie } = await own.begin('passkey');
    expect((await own.signIn({ passkey: given }, cookie)).status).toBe(400);
  });

  it('whose parts say nothing is refused', async () => {
    const { cookie } = await own.begin('passkey');
    const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' };
    const answer = { id: passkey.id, rawId: passkey.id, type: 'public-key', response };
    expect(told(await own.signIn({ passkey: answer }, cookie))).toEqual([401, REFUSED, false]);
  });

  it('counts like a wrong token, and the right one signs in from an address with too many', async () => {
    const limited = await openApp({ CONSOLE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1', ADMIN_FAILURES_PER_MINUTE: '2' }, app);
    try {
      const there = consoleOf(limited, { Host: 'console.shop.example', 'X-Forwarded-For': '203.0.113.9' });
      const stranger = createSoftPasskey(ORIGIN);
      for (const status of [401, 401, 429]) {
        const { body, cookie } = await there.begin('passkey');
        expect((await there.signIn({ passkey: stranger.use(body, { userHandle: 'YQ' }) }, cookie)).status).toBe(status);
      }
      expect((await there.begin('provider')).status).toBe(429);
      const { body, cookie } = await there.begin('passkey');
      expect((await there.signIn({ passkey: passkey.use(body) }, cookie)).status).toBe(200);
      expect((await there.signIn({ token: ADMIN_TOKEN })).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });
});

describe('adding a passkey', () => {
  it('needs a challenge of the same operator, on this page, that is not used for signing in', async () => {
    const [mine, theirs] = [await aPerson(), await aPerson()];
    const passkey = createSoftPasskey(ORIGIN);
    const { attempt, options } = await challengeFor(theirs);
    const { cookie, body } = await own.begin('passkey');
    const signInAttempt = cookie.Cookie.split('=')[1] ?? '';
    const asked = { ...options, challenge: (body as { challenge: string }).challenge };
    for (const [sealed, credential] of [
      [attempt, passkey.make(options)],
      [signInAttempt, passkey.make(asked)],
      ['v1.test.a.b.c', passkey.make(options)],
    ] as const) {
      const answer = await add(mine, sealed, credential);
      expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([409, NO_ATTEMPT]);
    }
    const own1 = await challengeFor(mine);
    for (const odd of [{ origin: 'https://evil.test' }, { isVerified: false }]) {
      const answer = await add(mine, own1.attempt, passkey.make(own1.options, odd));
      expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([409, REFUSED]);
    }
    await add(mine, own1.attempt, passkey.make(own1.options)).expect(201);
  });

  it('that was added before is refused, and the browser knows which were', async () => {
    const passkey = createSoftPasskey(ORIGIN);
    const person = await aPersonWith(passkey);
    const { attempt, options } = await challengeFor(person);
    expect(options.excludeCredentials).toMatchObject([{ id: passkey.id }]);
    const answer = await add(person, attempt, passkey.make(options));
    expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([409, 'This passkey was added before.']);
  });

  it('whose certificates name an address is refused, and nothing is fetched from there', async () => {
    const fetched: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      fetched.push(url);
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      const person = await aPerson();
      const { attempt, options } = await challengeFor(person);
      const passkey = createSoftPasskey(ORIGIN);
      const made = passkey.make(options, { attestation: (of) => androidAttestation(of, `${address}/revoked`) });
      const answer = await add(person, attempt, made);
      expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([409, REFUSED]);
      expect(fetched).toEqual([]);
      await add(person, attempt, passkey.make(options, { attestation: ownAttestation })).expect(201);
    } finally {
      server.close();
    }
  });

  it('takes an id of 1,023 bytes, and no longer one, also where the device says another than the browser', async () => {
    const person = await aPerson();
    const { attempt, options } = await challengeFor(person);
    const [longest, longer, far] = [1_023, 1_024, 4_000].map((idBytes) => createSoftPasskey(ORIGIN, { idBytes }).make(options));
    await add(person, attempt, longer ?? {}).expect(400);
    const short = createSoftPasskey(ORIGIN);
    for (const made of [longer, far]) {
      const answer = await add(person, attempt, { ...made, id: short.id, rawId: short.id });
      expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([409, REFUSED]);
    }
    await add(person, attempt, longest ?? {}).expect(201);
  });

  it('is for a console session of an operator', async () => {
    const { id } = await aPerson();
    const { body } = await app.admin('post', `/admin/operators/${id}/tokens`).send({ name: 'ci' }).expect(201);
    const bearer = { Authorization: `Bearer ${(body as { token: string }).token}` };
    const path = '/admin/operator/passkey-challenges';
    const answer = await app.admin('post', path).set(bearer);
    expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([
      403,
      'A token adds no passkeys. Sign in to the console, and add the passkey there.',
    ]);
    const owner = own.sessionOf(await own.signIn({ token: ADMIN_TOKEN }).expect(200));
    const refused = await own.call('post', '/console/api/operator/passkey-challenges', owner).expect(409);
    expect((refused.body as { detail: string }).detail).toMatch(/^The holder of ADMIN_TOKEN has no passkeys/);
    expect((await own.call('get', '/console/api/operator/sign-in-methods', owner)).body).toEqual({ items: [] });
  });
});

describe('the place of a passkey', () => {
  it('is CONSOLE_URL, whose host the console answers for', async () => {
    const { body } = await own.begin('passkey');
    expect(body).toMatchObject({ rpId: 'console.shop.example' });
    expect((await own.call('get', '/console/session')).body).toEqual({ ok: false, ways: { passkey: true, provider: null } });
    expect((await consoleOf(app, { Host: 'other.shop.example' }).call('get', '/console/session')).status).toBe(403);
  });

  it('is the host of the request where CONSOLE_URL is not set', async () => {
    const plain = await openApp({ TRUSTED_PROXIES: '127.0.0.1', CONSOLE_HOSTS: 'admin.test' }, app);
    try {
      for (const [host, rpId] of [
        [{ Host: 'localhost:4001' }, 'localhost'],
        [{ 'X-Forwarded-Host': 'admin.test', 'X-Forwarded-Proto': 'https' }, 'admin.test'],
      ] as const) {
        expect((await consoleOf(plain, host).begin('passkey')).body).toMatchObject({ rpId });
      }
      for (const host of [{ Host: '127.0.0.1:4001' }, { Host: '[::1]:4001' }, { Host: 'admin.test' }]) {
        const there = consoleOf(plain, host);
        expect((await there.begin('passkey')).status).toBe(409);
        expect((await there.call('get', '/console/session')).body).toMatchObject({ ways: { passkey: false } });
      }
    } finally {
      await plain.stop();
    }
  });
});

it('the attempt is in no table, and its cookie is for signing in alone', async () => {
  const count = async () => (await app.database.query('SELECT hash FROM console_sessions')).length;
  const before = await count();
  const answer = await own.call('post', '/console/session/passkey');
  expect(await count()).toBe(before);
  expect(answer.headers['set-cookie']?.[0]).toMatch(
    /^tenon_sign_in_\d+=v1\.[\w.-]+; Path=\/console\/session; Max-Age=300; HttpOnly; SameSite=Strict$/,
  );
  await own.call('get', '/console/session/passkey').expect(405);
});
