import { beforeEach, describe, expect, it } from 'vitest';

import { lookAtSession } from '../../../src/application/identity/sign-in.ts';
import { signInMethodUses, type MadePasskey } from '../../../src/application/identity/sign-in-methods.ts';
import { MAX_PASSKEYS, NO_ATTEMPT } from '../../../src/domain/identity/sign-in-method.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const TOKEN = 'the-admin-token-of-the-tests';
const ORIGIN = { address: null, agent: null };
const MADE: MadePasskey = { key: 'aa', publicKey: 'bb', counter: 3, transports: ['usb'] };
const NOT_FOUND = { code: 'not_found', message: 'Sign-in method not found.' };

let ports: MemoryWorld;
let uses: ReturnType<typeof signInMethodUses>;
beforeEach(async () => {
  ports = openMemoryPorts();
  uses = signInMethodUses(ports, TOKEN);
  for (const id of ['ada', 'grace'])
    await ports.operators.create({ id, name: id, email: `${id}@example.com`, role: 'viewer', storeIds: null });
});
const added = async (made: Partial<MadePasskey> = {}, operatorId = 'ada') => {
  const method = await uses.addPasskey(operatorId, 'Key', { ...MADE, ...made }, attempt('passkey_addition'));
  return method.ok ? method.value : expect.fail(method.message);
};
const attempt = (purpose: 'passkey_sign_in' | 'passkey_addition' | 'provider_sign_in' = 'passkey_sign_in') =>
  uses.openAttempt(purpose, uses.beginAttempt(purpose).sealed) ?? expect.fail('the attempt is not open');

describe('a passkey', () => {
  it('is added to its operator, and found by its key', async () => {
    const method = await added();
    expect(method).toMatchObject({ kind: 'passkey', name: 'Key', lastUsedAt: null });
    expect(await uses.findPasskey('aa')).toMatchObject({ id: method.id, operatorId: 'ada', publicKey: 'bb', counter: 3 });
    expect(await uses.ownSignInMethods('ada')).toEqual({ ok: true, value: [method] });
    expect(await uses.listSignInMethods('ada')).toEqual({ ok: true, value: [method] });
    expect(await uses.listSignInMethods('none')).toMatchObject({ code: 'not_found', message: 'Operator not found.' });
  });
  it('is refused where another one has the key, where there are too many, and where the operator has ended', async () => {
    await added();
    const conflict = async (made: Partial<MadePasskey>, operatorId = 'ada') =>
      uses.addPasskey(operatorId, 'Key', { ...MADE, ...made }, attempt('passkey_addition'));
    expect(await conflict({}, 'grace')).toMatchObject({ code: 'conflict', message: 'This passkey was added before.' });
    for (let n = 1; n < MAX_PASSKEYS; n += 1) await added({ key: `key ${n}` });
    expect(await conflict({ key: 'more' })).toMatchObject({
      code: 'conflict',
      message: `An operator has at most ${MAX_PASSKEYS} passkeys. Remove one first.`,
    });
    await ports.operators.end('grace');
    expect(await conflict({ key: 'late' }, 'grace')).toMatchObject({ message: 'The operator has ended. Add a new one.' });
  });
  it('is added once by an attempt', async () => {
    const given = attempt('passkey_addition');
    const add = (key: string) => uses.addPasskey('ada', 'Key', { ...MADE, key }, given);
    expect(await add('one')).toMatchObject({ ok: true });
    expect(await add('two')).toMatchObject({ code: 'conflict', message: NO_ATTEMPT.message });
  });
  it('is removed by its operator alone', async () => {
    const { id } = await added();
    expect(await uses.removeSignInMethod('grace', id)).toMatchObject(NOT_FOUND);
    expect(await uses.removeSignInMethod(null, id)).toMatchObject(NOT_FOUND);
    expect(await uses.removeSignInMethod('ada', id)).toMatchObject({ ok: true });
    expect(await uses.findPasskey('aa')).toBeNull();
  });
  it('starts a session of its operator, one for each attempt', async () => {
    await added();
    const passkey = (await uses.findPasskey('aa')) ?? expect.fail('there is none');
    const use = { attempt: attempt(), passkey, counter: 4 };
    const signedIn = await uses.signInWithPasskey(use, ORIGIN);
    const session = signedIn.ok ? signedIn.value : '';
    expect(await lookAtSession(ports, TOKEN)(session)).toMatchObject({ actor: { operatorId: 'ada' } });
    expect(await lookAtSession(ports, 'another-admin-token')(session)).toBeNull();
    expect(await uses.signInWithPasskey({ ...use, counter: 5 }, ORIGIN)).toMatchObject({
      message: expect.stringContaining('was used before') as string,
    });
  });
  it('whose counter does not rise starts none', async () => {
    await added();
    const passkey = (await uses.findPasskey('aa')) ?? expect.fail('there is none');
    expect(await uses.signInWithPasskey({ attempt: attempt(), passkey, counter: 3 }, ORIGIN)).toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining('may be a copy') as string,
    });
  });
});

describe('an account of the identity provider', () => {
  const ADA = { issuer: 'https://login.example.com', subject: 'a', email: 'ada@example.com', isEmailVerified: true };
  const signIn = (account: Partial<typeof ADA> = {}) =>
    uses.signInWithProvider(attempt('provider_sign_in'), { ...ADA, ...account }, ORIGIN);

  it('stays connected to its operator, also when its address changes', async () => {
    const first = await signIn();
    const again = await signIn({ email: 'other@example.com', isEmailVerified: false });
    expect(again).toMatchObject({ ok: true, value: { methodId: first.ok && first.value.methodId } });
    expect(await uses.listSignInMethods('ada')).toMatchObject({ value: [{ kind: 'provider', name: ADA.email }] });
  });
  it.each<[string, Partial<typeof ADA>]>([
    ['without a verified address', { isEmailVerified: false }],
    ['with the address of nobody', { email: 'nobody@example.com' }],
  ])('%s starts no session', async (_, account) => {
    expect(await signIn(account)).toMatchObject({ ok: false, code: 'unauthenticated' });
  });
  it('beside another one of the same operator is refused', async () => {
    await signIn();
    expect(await signIn({ subject: 'b' })).toMatchObject({
      message: expect.stringContaining('connected to another account') as string,
    });
  });
  it('is refused where its operator ends meanwhile', async () => {
    const ended = { ...ports.signInMethods, add: async () => null };
    const late = signInMethodUses({ ...ports, signInMethods: ended }, TOKEN);
    expect(await late.signInWithProvider(attempt('provider_sign_in'), ADA, ORIGIN)).toMatchObject({ ok: false });
  });
  it('starts one session for each attempt', async () => {
    const once = attempt('provider_sign_in');
    expect(await uses.signInWithProvider(once, ADA, ORIGIN)).toMatchObject({ ok: true });
    expect(await uses.signInWithProvider(once, ADA, ORIGIN)).toMatchObject({ ok: false });
  });
});

it('what breaks while an attempt is opened is reported, and is not taken for a broken attempt', () => {
  const secrets = {
    ...ports.secrets,
    open: () => {
      throw new Error('a bug');
    },
  };
  expect(() => signInMethodUses({ ...ports, secrets }, TOKEN).openAttempt('passkey_sign_in', 'sealed')).toThrow('a bug');
});
