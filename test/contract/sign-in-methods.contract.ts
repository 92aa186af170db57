import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { Operator } from '../../src/domain/identity/operator.ts';
import { MAX_PASSKEYS } from '../../src/domain/identity/sign-in-method.ts';
import type { NewSignInMethod, SignInMethods } from '../../src/domain/ports/identity/sign-in-methods.ts';
import { beforeAll } from './hooks.ts';
import { anOperator, hashOf, type IdentityWorld } from './identity-worlds.ts';

const ISSUER = 'https://login.example.com';

export const signInMethodsContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`SignInMethods on ${name}`, () => {
    let world: IdentityWorld;
    let methods: SignInMethods;
    let operator: Operator;
    let passkey: NewSignInMethod;
    let account: NewSignInMethod;
    const aPasskey = (operatorId = operator.id, counter = 0): NewSignInMethod => {
      const id = world.ids.next();
      const key = hashOf(id.slice(-12));
      return { id, operatorId, kind: 'passkey', name: 'Laptop', key, publicKey: 'a501', counter, transports: ['internal'] };
    };
    const anAccount = (operatorId = operator.id): NewSignInMethod => {
      const id = world.ids.next();
      return { id, operatorId, kind: 'provider', name: 'ada@example.com', key: hashOf(id.slice(-12)), issuer: ISSUER };
    };
    beforeAll(async () => {
      world = await open();
      methods = world.ports.signInMethods;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      operator = await anOperator(world);
      [passkey, account] = [aPasskey(), anAccount()];
    });

    describe('add', () => {
      it('Adds the method.', async () => {
        const createdAt = expect.stringMatching(/Z$/) as string;
        const added = { id: passkey.id, kind: 'passkey', name: 'Laptop', createdAt, lastUsedAt: null };
        expect(await methods.add(passkey)).toEqual(added);
        expect(await methods.add(account)).toMatchObject({ id: account.id, kind: 'provider', name: 'ada@example.com' });
      });
      it('Returns null and writes nothing when the operator does not exist, or has ended.', async () => {
        expect(await methods.add({ ...passkey, operatorId: world.ids.next() })).toBeNull();
        await world.ports.operators.end(operator.id);
        expect(await methods.add(passkey)).toBeNull();
        expect(await methods.list(operator.id)).toEqual([]);
      });
      it('Returns `taken` and writes nothing when a method has the key.', async () => {
        const other = await anOperator(world);
        await methods.add(passkey);
        expect(await methods.add({ ...aPasskey(other.id), key: passkey.key })).toBe('taken');
        expect(await methods.list(other.id)).toEqual([]);
        // A credential id is nothing of a provider.
        expect(await methods.add({ ...account, key: passkey.key })).toMatchObject({ id: account.id });
      });
      it('Returns `taken` and writes nothing when the operator has an account of the issuer.', async () => {
        await methods.add(account);
        expect(await methods.add(anAccount())).toBe('taken');
        expect(await methods.add({ ...anAccount(), issuer: 'https://other.example.com' } as NewSignInMethod)).not.toBe('taken');
        expect(await methods.add(anAccount((await anOperator(world)).id))).not.toBe('taken');
        expect((await methods.list(operator.id)).length).toBe(2);
      });
      it('Returns `too_many` and writes nothing when the operator has 20 passkeys.', async () => {
        expect(MAX_PASSKEYS).toBe(20);
        for (let count = 0; count < MAX_PASSKEYS; count += 1) await methods.add(aPasskey());
        expect(await methods.add(passkey)).toBe('too_many');
        expect((await methods.list(operator.id)).length).toBe(MAX_PASSKEYS);
        expect(await methods.add(account)).toMatchObject({ id: account.id });
      });
      it('Concurrent additions of an operator follow one after the other.', async () => {
        for (let count = 1; count < MAX_PASSKEYS; count += 1) await methods.add(aPasskey());
        const added = await Promise.all([methods.add(aPasskey()), methods.add(aPasskey()), methods.add(aPasskey())]);
        expect(added.filter((one) => one === 'too_many').length).toBe(2);
      });
    });

    describe('list', () => {
      it('Returns the methods of the operator by creation, then id.', async () => {
        await methods.add(passkey);
        await methods.add(account);
        await methods.add(aPasskey((await anOperator(world)).id));
        expect((await methods.list(operator.id)).map(({ id }) => id)).toEqual([passkey.id, account.id]);
      });
    });

    describe('passkeys', () => {
      it("Returns the keys of the operator's passkeys by creation, then id.", async () => {
        const second = aPasskey();
        for (const method of [passkey, account, second]) await methods.add(method);
        const transports = ['internal'];
        expect(await methods.passkeys(operator.id)).toEqual([
          { key: passkey.key, transports },
          { key: second.key, transports },
        ]);
      });
    });

    describe('find', () => {
      it('Returns the method of this kind and key.', async () => {
        const counting = aPasskey(operator.id, 7);
        await methods.add(counting);
        await methods.add(account);
        const { id: operatorId } = operator;
        const found = await methods.find('passkey', counting.key);
        const unused = { operatorId, lastUsedAt: null };
        expect(found).toEqual({ ...unused, id: counting.id, name: 'Laptop', publicKey: 'a501', counter: 7 });
        const connected = { ...unused, id: account.id, name: 'ada@example.com', publicKey: null, counter: 0 };
        expect(await methods.find('provider', account.key)).toEqual(connected);
      });
      it('Returns null when there is none.', async () => {
        await methods.add(passkey);
        expect(await methods.find('provider', passkey.key)).toBeNull();
        expect(await methods.find('passkey', account.key)).toBeNull();
      });
      it('Returns null when its operator has ended.', async () => {
        await methods.add(passkey);
        await world.ports.operators.end(operator.id);
        expect(await methods.find('passkey', passkey.key)).toBeNull();
      });
    });

    describe('use', () => {
      it('Notes the time of the use and the counter.', async () => {
        await methods.add(passkey);
        expect(await methods.use(passkey.id, 3)).toBe(true);
        const lastUsedAt = expect.stringMatching(/Z$/) as string;
        expect(await methods.find('passkey', passkey.key)).toMatchObject({ counter: 3, lastUsedAt });
        expect(await methods.list(operator.id)).toMatchObject([{ lastUsedAt }]);
      });
      it('Returns false and notes nothing when the counter is not above the one before.', async () => {
        const counting = aPasskey(operator.id, 3);
        await methods.add(counting);
        expect([await methods.use(counting.id, 3), await methods.use(counting.id, 2), await methods.use(counting.id, 0)]).toEqual(
          [false, false, false],
        );
        expect(await methods.find('passkey', counting.key)).toMatchObject({ counter: 3 });
        expect((await methods.list(operator.id))[0]?.lastUsedAt).toBeNull();
      });
      it('Accepts 0 after 0.', async () => {
        await methods.add(passkey);
        expect([await methods.use(passkey.id, 0), await methods.use(passkey.id, 0)]).toEqual([true, true]);
      });
      it('Returns false when the method does not exist.', async () => {
        expect(await methods.use(passkey.id, 1)).toBe(false);
      });
    });

    describe('remove', () => {
      it('Deletes the method.', async () => {
        await methods.add(passkey);
        await methods.add(account);
        expect(await methods.remove(operator.id, passkey.id)).toBe(true);
        expect(await methods.find('passkey', passkey.key)).toBeNull();
        expect((await methods.list(operator.id)).map(({ id }) => id)).toEqual([account.id]);
      });
      it('Returns false when the operator does not have it.', async () => {
        await methods.add(passkey);
        expect(await methods.remove((await anOperator(world)).id, passkey.id)).toBe(false);
        expect(await methods.remove(operator.id, account.id)).toBe(false);
        expect(await methods.find('passkey', passkey.key)).not.toBeNull();
      });
    });
  });
};
