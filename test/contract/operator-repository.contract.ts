import { afterAll, describe, expect, it } from 'vitest';

import type { OperatorRepository } from '../../src/domain/ports/identity/operator-repository.ts';
import { beforeAll } from './hooks.ts';
import { anOperator, hashOf, type IdentityWorld } from './identity-worlds.ts';

export const operatorRepositoryContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`OperatorRepository on ${name}`, () => {
    let world: IdentityWorld;
    let operators: OperatorRepository;
    beforeAll(async () => {
      world = await open();
      ({ operators } = world.ports);
    });
    afterAll(() => world.close());
    const asNew = (given: string) => ({
      id: world.ids.next(),
      name: given,
      email: null,
      role: 'viewer' as const,
      storeIds: null,
    });

    describe('list', () => {
      it('Returns a page of all operators by creation, then id, also of those who have ended.', async () => {
        const made: string[] = [];
        for (let n = 0; n < 3; n += 1) made.push((await anOperator(world)).id);
        await operators.end(made[0] ?? '');
        expect(await operators.list({ skip: 1, take: 1 })).toMatchObject({
          items: [{ id: made[1] }],
          skip: 1,
          take: 1,
          total: 3,
        });
        expect((await operators.list({ skip: 0, take: 9 })).items.map(({ id }) => id)).toEqual(made);
      });
      it('Begins behind the place, if one is given.', async () => {
        const { items, next } = await operators.list({ skip: 0, take: 2 });
        const { items: rest, next: end } = await operators.list({ skip: 0, take: 9, after: next ?? undefined });
        expect([...items, ...rest]).toEqual((await operators.list({ skip: 0, take: 9 })).items);
        expect([rest.length > 0, end]).toEqual([true, null]);
      });
    });

    describe('withEmail', () => {
      it('Returns the operators who have not ended and have this email address, in any case of its letters, by creation, then id.', async () => {
        const email = `${world.ids.next()}@Example.com`;
        const [ended, first] = [await anOperator(world, { email }), await anOperator(world, { email })];
        const second = await anOperator(world, { email: email.toUpperCase() });
        await anOperator(world, { email: `a${email}` });
        await anOperator(world);
        await operators.end(ended.id);
        expect(await operators.withEmail(email.toLowerCase())).toEqual([first, second]);
        expect(await operators.withEmail(`%${email.slice(1)}`)).toEqual([]);
      });
    });

    describe('create', () => {
      it('Creates an operator.', async () => {
        const storeIds = [world.ids.next(), world.ids.next()];
        const given = { ...asNew('Ada'), email: 'ada@example.com', storeIds };
        const created = await operators.create(given);
        expect(created).toEqual({ ...given, createdAt: expect.stringMatching(/Z$/) as string, endedAt: null });
        expect(await operators.get(given.id)).toEqual(created);
      });
      it('Returns `name_taken` and writes nothing when an operator who has not ended has the name.', async () => {
        const { name: taken } = await anOperator(world);
        const given = asNew(taken);
        expect(await operators.create(given)).toBe('name_taken');
        expect(await operators.get(given.id)).toBeNull();
      });
    });

    describe('get', () => {
      it('Returns the operator, also one who has ended.', async () => {
        const operator = await anOperator(world);
        expect(await operators.get(operator.id)).toEqual(operator);
        await operators.end(operator.id);
        expect(await operators.get(operator.id)).toEqual({ ...operator, endedAt: expect.stringMatching(/Z$/) as string });
      });
      it('Returns null when the operator does not exist.', async () => {
        expect(await operators.get(world.ids.next())).toBeNull();
      });
    });

    describe('update', () => {
      it('Changes the given fields.', async () => {
        const operator = await anOperator(world);
        const changes = {
          name: `Grace ${operator.id}`,
          email: 'grace@example.com',
          role: 'viewer' as const,
          storeIds: [operator.id],
        };
        expect(await operators.update(operator.id, changes)).toEqual({ ...operator, ...changes });
        expect(await operators.update(operator.id, {})).toEqual({ ...operator, ...changes });
        const undone = { email: null, storeIds: null };
        expect(await operators.update(operator.id, undone)).toEqual({ ...operator, ...changes, ...undone });
      });
      it('Returns `limited_owner` and changes nothing when an owner would be limited to some stores.', async () => {
        const limited = await anOperator(world, { storeIds: [world.ids.next()] });
        expect(await operators.update(limited.id, { role: 'owner' })).toBe('limited_owner');
        expect(await operators.get(limited.id)).toEqual(limited);
        expect(await operators.update(limited.id, { role: 'owner', storeIds: null })).toMatchObject({ role: 'owner' });
        expect(await operators.update(limited.id, { storeIds: [world.ids.next()] })).toBe('limited_owner');
      });
      it('Returns `name_taken` and changes nothing when another operator who has not ended has the name.', async () => {
        const [one, other] = [await anOperator(world), await anOperator(world)];
        expect(await operators.update(one.id, { name: other.name, role: 'viewer' })).toBe('name_taken');
        expect(await operators.get(one.id)).toEqual(one);
      });
      it('Returns null when the operator does not exist, or has ended.', async () => {
        const { id } = await anOperator(world);
        await operators.end(id);
        expect([await operators.update(id, { role: 'viewer' }), await operators.update(world.ids.next(), {})]).toEqual([
          null,
          null,
        ]);
      });
    });

    describe('end', () => {
      it('Ends the operator for good.', async () => {
        const operator = await anOperator(world);
        const ended = await operators.end(operator.id);
        expect(ended).toEqual({ ...operator, endedAt: expect.stringMatching(/Z$/) as string });
        expect(await operators.update(operator.id, { role: 'owner' })).toBeNull();
      });
      it('Deletes the tokens, sign-in methods, sessions and login codes of the operator.', async () => {
        const { id } = await anOperator(world);
        const under = hashOf('the admin token');
        const { consoleSessions, operatorTokens, signInMethods } = world.ports;
        const hashes = ['t', 's', 'c', 'n'].map((letter) => hashOf(`${letter} ${id.slice(-12)}`)) as [
          string,
          string,
          string,
          string,
        ];
        const token = { id: world.ids.next(), operatorId: id, name: 'ci', hash: hashes[0], expiresAt: null };
        await operatorTokens.issue(token);
        await consoleSessions.start(hashes[1], under, { operatorId: id, tokenId: null }, { address: null, agent: null });
        await consoleSessions.createCode(hashes[2], under, { operatorId: id, tokenId: null });
        const key = hashes[0];
        const account = { id: world.ids.next(), operatorId: id, name: 'a@x.test', key, issuer: 'https://x.test' };
        await signInMethods.add({ ...account, kind: 'provider' });
        await operators.end(id);
        expect(await signInMethods.list(id)).toEqual([]);
        expect(await operatorTokens.list(id)).toEqual([]);
        expect(await operatorTokens.authenticate(hashes[0])).toBeNull();
        expect(await consoleSessions.use(hashes[1], under)).toBeNull();
        expect(await consoleSessions.exchange(hashes[2], hashes[3], under, { address: null, agent: null })).toBe(false);
      });
      it('Does nothing when the operator has ended.', async () => {
        const { id } = await anOperator(world);
        const ended = await operators.end(id);
        await world.pass(60);
        expect(await operators.end(id)).toEqual(ended);
      });
      it('Frees the name.', async () => {
        const { id, name: freed } = await anOperator(world);
        await operators.end(id);
        expect(await operators.create(asNew(freed))).toMatchObject({ name: freed });
      });
      it('Returns null when the operator does not exist.', async () => {
        expect(await operators.end(world.ids.next())).toBeNull();
      });
    });
  });
};
