import { beforeEach, describe, expect, it } from 'vitest';

import { authenticateOperator } from '../../../src/application/identity/authenticate.ts';
import { createConsoleCode } from '../../../src/application/identity/create-console-code.ts';
import { operatorUses } from '../../../src/application/identity/operators.ts';
import { signIn, lookAtSession } from '../../../src/application/identity/sign-in.ts';
import { OWNER, type Operator } from '../../../src/domain/identity/operator.ts';
import { CREDENTIAL_PATTERNS } from '../../../src/domain/identity/token.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const TOKEN = 'the-admin-token-of-the-tests';
const ORIGIN = { address: null, agent: null };
const GIVEN = { name: 'Ada', email: null, role: 'operator', storeIds: null } as const;
const HAS_ENDED = { code: 'conflict', message: 'The operator has ended. Add a new one.' };
const UNKNOWN = { code: 'not_found', message: 'Operator not found.' };

let ports: MemoryWorld;
let uses: ReturnType<typeof operatorUses>;
beforeEach(() => {
  ports = openMemoryPorts();
  uses = operatorUses(ports, TOKEN);
});
const made = async (more: Partial<Parameters<typeof uses.createOperator>[0]> = {}): Promise<Operator> => {
  const created = await uses.createOperator({ ...GIVEN, ...more });
  return created.ok ? created.value : expect.fail(created.message);
};
const ended = async (): Promise<Operator> => {
  const operator = await made({ name: 'Ended' });
  await uses.endOperator(operator.id);
  return operator;
};

describe('an operator', () => {
  it('is added with a name that no other has', async () => {
    const ada = await made();
    expect(ada).toMatchObject({ ...GIVEN, endedAt: null });
    expect(await uses.createOperator(GIVEN)).toMatchObject({
      code: 'conflict',
      message: 'Another operator has the name Ada. Choose another name.',
    });
    const grace = await made({ name: 'Grace' });
    expect(await uses.updateOperator(grace.id, { name: 'Ada' })).toMatchObject({
      message: 'Another operator has the name Ada. Choose another name.',
    });
    expect(await uses.listOperators({ skip: 0, take: 9 })).toMatchObject({
      value: { items: [{ id: ada.id }, { id: grace.id }] },
    });
    expect(await uses.getOperator(ada.id)).toEqual({ ok: true, value: ada });
    expect(await uses.getOperator('none')).toMatchObject(UNKNOWN);
  });

  it('is limited to stores that exist, and not as an owner', async () => {
    await ports.stores.create({ id: 'a', domain: 'a.test', name: 'A', currency: 'EUR' });
    await ports.stores.create({ id: 'b', domain: 'b.test', name: 'B', currency: 'EUR' });
    const limited = await made({ storeIds: ['a', 'b'] });
    expect(limited.storeIds).toEqual(['a', 'b']);
    const unknown = { code: 'conflict', message: 'There is no store c.' };
    expect(await uses.createOperator({ ...GIVEN, name: 'B', storeIds: ['a', 'c'] })).toMatchObject(unknown);
    expect(await uses.updateOperator(limited.id, { storeIds: ['c'] })).toMatchObject(unknown);
    const owner = { code: 'conflict', message: expect.stringContaining('An owner has access to all stores') as string };
    expect(await uses.createOperator({ ...GIVEN, name: 'B', role: 'owner', storeIds: ['a'] })).toMatchObject(owner);
    expect(await uses.updateOperator(limited.id, { role: 'owner' })).toMatchObject(owner);
    expect(await uses.updateOperator(limited.id, { storeIds: ['b'] })).toMatchObject({ value: { storeIds: ['b'] } });
    expect(await uses.updateOperator(limited.id, { role: 'owner', storeIds: null })).toMatchObject({ value: { role: 'owner' } });
  });

  it('who has ended gets nothing more, and who is unknown is not found', async () => {
    const { id } = await ended();
    const token = { name: 'ci', expiresAt: null };
    expect(await uses.updateOperator(id, { name: 'x' })).toMatchObject(HAS_ENDED);
    expect(await uses.inviteOperator(id)).toMatchObject(HAS_ENDED);
    expect(await uses.issueOperatorToken(id, token)).toMatchObject(HAS_ENDED);
    expect(await uses.updateOperator('none', { name: 'x' })).toMatchObject(UNKNOWN);
    expect(await uses.inviteOperator('none')).toMatchObject(UNKNOWN);
    expect(await uses.issueOperatorToken('none', token)).toMatchObject(UNKNOWN);
    expect(await uses.listOperatorTokens('none')).toMatchObject(UNKNOWN);
    expect(await uses.endOperator('none')).toMatchObject(UNKNOWN);
  });
});

describe('a token of an operator', () => {
  const issue = async (id: string) => {
    const issued = await uses.issueOperatorToken(id, { name: 'ci', expiresAt: null });
    return issued.ok ? issued.value : expect.fail(issued.message);
  };
  const caller = (token: string) => authenticateOperator(ports)(token);

  it('calls as its operator until it is revoked', async () => {
    const { id } = await made();
    const { token, ...listed } = await issue(id);
    expect(token).toMatch(CREDENTIAL_PATTERNS.operatorToken);
    expect(await uses.listOperatorTokens(id)).toEqual({ ok: true, value: [listed] });
    expect(await caller(token)).toEqual({
      id: listed.id,
      actor: { operatorId: id, name: 'Ada', role: 'operator', storeIds: null },
    });
    expect(await uses.revokeOperatorToken('another', listed.id)).toMatchObject({
      code: 'not_found',
      message: 'Token not found.',
    });
    expect(await uses.revokeOperatorToken(id, listed.id)).toMatchObject({ ok: true });
    expect(await caller(token)).toBeNull();
    expect(await signIn(ports, TOKEN)({ token }, ORIGIN)).toMatchObject({ ok: false, code: 'unauthenticated' });
  });
  it('is not what has another form, which costs no look-up', async () => {
    const operatorTokens = { ...ports.operatorTokens, authenticate: () => expect.fail('it was looked up') };
    expect(await authenticateOperator({ ...ports, operatorTokens })('tnn_op_x')).toBeNull();
    expect(await signIn({ ...ports, operatorTokens }, TOKEN)({ token: 'tnn_op_x' }, ORIGIN)).toMatchObject({ ok: false });
  });
  it('starts a session and makes codes of its operator, which end with it', async () => {
    const { id } = await made();
    const [gone, kept] = [await issue(id), await issue(id)];
    const session = async (proof: { token: string } | { code: string }) => {
      const signedIn = await signIn(ports, TOKEN)(proof, ORIGIN);
      return signedIn.ok ? signedIn.value : expect.fail(signedIn.message);
    };
    const codeBy = async (tokenId: string) => {
      const made = await createConsoleCode(ports, TOKEN)({ operatorId: id }, tokenId);
      return made.ok ? made.value : expect.fail(made.message);
    };
    const [used, open] = [await codeBy(gone.id), await codeBy(gone.id)];
    const sessions = [await session(gone), await session(used), await session(await codeBy(kept.id))];
    await uses.revokeOperatorToken(id, gone.id);
    const looked = await Promise.all(sessions.map(lookAtSession(ports, TOKEN)));
    expect(looked.map((found) => found !== null)).toEqual([false, false, true]);
    expect(await signIn(ports, TOKEN)({ code: open.code }, ORIGIN)).toMatchObject({ code: 'unauthenticated' });
    expect(await createConsoleCode(ports, TOKEN)({ operatorId: id }, gone.id)).toMatchObject({
      code: 'unauthenticated',
      message: 'The token has ended.',
    });
    // The token ended between its look-up and the start of the session.
    const operatorTokens = {
      ...ports.operatorTokens,
      authenticate: async () => ({ id: gone.id, actor: { ...OWNER, operatorId: id } }),
    };
    expect(await signIn({ ...ports, operatorTokens }, TOKEN)(gone, ORIGIN)).toMatchObject({ code: 'unauthenticated' });
  });
  it('starts a session of its operator', async () => {
    const { id } = await made();
    const { token } = await issue(id);
    const signedIn = await signIn(ports, TOKEN)({ token }, ORIGIN);
    const session = signedIn.ok ? signedIn.value : '';
    expect(await lookAtSession(ports, TOKEN)(session)).toMatchObject({ actor: { operatorId: id } });
    const listed = await uses.listConsoleSessions();
    expect(listed.value).toMatchObject([{ operator: { id, name: 'Ada' } }]);
    const [{ id: sessionId } = { id: '' }] = listed.value;
    expect(await uses.endConsoleSession(sessionId)).toMatchObject({ ok: true });
    expect(await uses.endConsoleSession(sessionId)).toMatchObject({ code: 'not_found', message: 'Session not found.' });
    expect(await lookAtSession(ports, TOKEN)(session)).toBeNull();
  });
});

it('an invitation signs the operator in, once', async () => {
  const { id } = await made();
  const invited = await uses.inviteOperator(id);
  const code = invited.ok ? invited.value.code : '';
  const signedIn = await signIn(ports, TOKEN)({ code }, ORIGIN);
  expect(await lookAtSession(ports, TOKEN)(signedIn.ok ? signedIn.value : '')).toMatchObject({ actor: { operatorId: id } });
  expect(await signIn(ports, TOKEN)({ code }, ORIGIN)).toMatchObject({ ok: false });
});

it('a code of another form costs no look-up', async () => {
  const consoleSessions = { ...ports.consoleSessions, exchange: () => expect.fail('it was looked up') };
  expect(await signIn({ ...ports, consoleSessions }, TOKEN)({ code: 'tnn_code_x' }, ORIGIN)).toMatchObject({ ok: false });
});
