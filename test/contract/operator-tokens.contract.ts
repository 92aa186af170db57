import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { Operator } from '../../src/domain/identity/operator.ts';
import type { NewOperatorToken, OperatorTokens } from '../../src/domain/ports/identity/operator-tokens.ts';
import { beforeAll } from './hooks.ts';
import { anOperator, hashOf, type IdentityWorld } from './identity-worlds.ts';

const FAR = '9999-01-01T00:00:00.000Z';

export const operatorTokensContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`OperatorTokens on ${name}`, () => {
    let world: IdentityWorld;
    let tokens: OperatorTokens;
    let operator: Operator;
    let token: NewOperatorToken;
    beforeAll(async () => {
      world = await open();
      tokens = world.ports.operatorTokens;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      operator = await anOperator(world);
      const id = world.ids.next();
      token = { id, operatorId: operator.id, name: 'ci', hash: hashOf(id.slice(-12)), expiresAt: null };
    });
    const lastUse = async (): Promise<string | null | undefined> => (await tokens.list(operator.id))[0]?.lastUsedAt;

    describe('issue', () => {
      it('Issues a token.', async () => {
        const issued = await tokens.issue({ ...token, expiresAt: FAR });
        expect(issued).toEqual({
          id: token.id,
          name: 'ci',
          createdAt: expect.stringMatching(/Z$/) as string,
          expiresAt: FAR,
          lastUsedAt: null,
        });
        expect(await tokens.authenticate(token.hash)).not.toBeNull();
      });
      it('Returns null and writes nothing when the operator does not exist, or has ended.', async () => {
        expect(await tokens.issue({ ...token, operatorId: world.ids.next() })).toBeNull();
        await world.ports.operators.end(operator.id);
        expect(await tokens.issue(token)).toBeNull();
        expect(await tokens.list(operator.id)).toEqual([]);
      });
    });

    describe('list', () => {
      it('Returns the tokens of the operator by creation, then id, also those that have expired.', async () => {
        const second = { ...token, id: world.ids.next(), hash: hashOf(`second ${token.id.slice(-12)}`) };
        await tokens.issue({ ...token, expiresAt: '2001-01-01T00:00:00.000Z' });
        await tokens.issue(second);
        const other = await anOperator(world);
        await tokens.issue({ ...token, id: world.ids.next(), operatorId: other.id, hash: hashOf(other.id.slice(-12)) });
        expect((await tokens.list(operator.id)).map(({ id }) => id)).toEqual([token.id, second.id]);
      });
    });

    describe('revoke', () => {
      it('Deletes the token.', async () => {
        await tokens.issue(token);
        expect(await tokens.revoke(operator.id, token.id)).toBe(true);
        expect(await tokens.authenticate(token.hash)).toBeNull();
        expect(await tokens.list(operator.id)).toEqual([]);
      });
      it('Returns false when the operator does not have it.', async () => {
        await tokens.issue(token);
        expect(await tokens.revoke((await anOperator(world)).id, token.id)).toBe(false);
        expect(await tokens.revoke(operator.id, world.ids.next())).toBe(false);
        expect(await tokens.authenticate(token.hash)).not.toBeNull();
      });
    });

    describe('authenticate', () => {
      it('Returns the token with this SHA-256 in hex and its operator, with the present role and stores.', async () => {
        await tokens.issue(token);
        const { id: operatorId, name: theirs } = operator;
        expect(await tokens.authenticate(token.hash)).toEqual({
          id: token.id,
          actor: { operatorId, name: theirs, role: 'operator', storeIds: null },
        });
        await world.ports.operators.update(operatorId, { role: 'viewer', storeIds: [token.id] });
        expect(await tokens.authenticate(token.hash)).toMatchObject({ actor: { role: 'viewer', storeIds: [token.id] } });
      });
      it('Returns null when there is no such token, or it has expired.', async () => {
        expect(await tokens.authenticate(token.hash)).toBeNull();
        await tokens.issue({ ...token, expiresAt: '2001-01-01T00:00:00.000Z' });
        expect(await tokens.authenticate(token.hash)).toBeNull();
      });
      it('Returns null when the operator has ended.', async () => {
        await tokens.issue(token);
        await world.ports.operators.end(operator.id);
        expect(await tokens.authenticate(token.hash)).toBeNull();
      });
      it('Notes the time of the use, at most once a minute.', async () => {
        await tokens.issue(token);
        await tokens.authenticate(token.hash);
        const first = await lastUse();
        expect(first).toMatch(/Z$/);
        await tokens.authenticate(token.hash);
        expect(await lastUse()).toBe(first);
        await world.pass(60);
        const aged = await lastUse();
        await tokens.authenticate(token.hash);
        expect(Date.parse((await lastUse()) ?? '')).toBeGreaterThanOrEqual(
          Date.parse(aged ?? '') + 60_000 * Number(aged !== first),
        );
        expect(await lastUse()).not.toBe(aged);
      });
    });
  });
};
