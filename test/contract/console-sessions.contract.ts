import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { OWNER, type Operator } from '../../src/domain/identity/operator.ts';
import type { ConsoleSessions, SessionUse } from '../../src/domain/ports/identity/console-sessions.ts';
import { beforeAll } from './hooks.ts';
import { anOperator, hashOf, type IdentityWorld } from './identity-worlds.ts';

const TOKEN = hashOf('the admin token');
const OTHER_TOKEN = hashOf('another admin token');
const MINUTE = 60;
const FAR = '9999-01-01T00:00:00.000Z';
const ORIGIN = { address: '203.0.113.7', agent: 'Firefox' };

const isUse = (use: SessionUse | null): boolean => use !== null;

export const consoleSessionsContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`ConsoleSessions on ${name}`, () => {
    let world: IdentityWorld;
    let sessions: ConsoleSessions;
    let hash: string;
    let code: string;
    let operator: Operator;
    let tests = 0;
    const opener = (tokenId: string | null = null) => ({ operatorId: operator.id, tokenId });
    /** A token of the operator, by its id: it expires in these minutes, or never. */
    const aToken = async (minutes: number | null = null): Promise<string> => {
      const issue = (id: string, expiresAt: string | null) =>
        world.ports.operatorTokens.issue({ id, operatorId: operator.id, name: 'ci', hash: hashOf(id.slice(-24)), expiresAt });
      const now = await issue(world.ids.next(), null);
      const id = world.ids.next();
      const expiry = Date.parse(now?.createdAt ?? '') + (minutes ?? 0) * MINUTE * 1_000;
      await issue(id, minutes === null ? null : new Date(expiry).toISOString());
      return id;
    };
    const actorOf = async (of: string) => (await sessions.use(of, TOKEN))?.actor ?? null;
    beforeAll(async () => {
      world = await open();
      sessions = world.ports.consoleSessions;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      tests += 1;
      operator = await anOperator(world, { role: 'viewer', storeIds: [world.ids.next()] });
      [hash, code] = [hashOf(`session ${String(tests)}`), hashOf(`code ${String(tests)}`)];
    });

    describe('start', () => {
      it('Starts a session of the operator.', async () => {
        await sessions.start(hash, TOKEN, opener(), ORIGIN);
        expect(await actorOf(hash)).toMatchObject({ operatorId: operator.id, role: 'viewer' });
      });
      it('Returns false and starts nothing when the token that opens it has ended.', async () => {
        const [valid, revoked, expired] = [await aToken(), await aToken(), await aToken(-1)];
        await world.ports.operatorTokens.revoke(operator.id, revoked);
        const hashes = [valid, revoked, expired].map((id) => [id, hashOf(`by ${id.slice(-24)}`)] as const);
        const started = [];
        for (const [id, of] of hashes)
          started.push([await sessions.start(of, TOKEN, opener(id), ORIGIN), isUse(await sessions.look(of, TOKEN))]);
        expect(started).toEqual([
          [true, true],
          [false, false],
          [false, false],
        ]);
      });
    });

    describe('useOnce', () => {
      const attempt = () => ({ hash: hashOf(`added ${String(tests)}`), expiresAt: FAR });
      it('Notes that the attempt is used.', async () => {
        expect(await sessions.useOnce(attempt(), TOKEN)).toBe(true);
        expect(await sessions.startOnce(attempt(), hash, TOKEN, operator.id, ORIGIN)).toBe(false);
      });
      it('Returns false when it was used before.', async () => {
        const used = await Promise.all([1, 2, 3].map(() => sessions.useOnce(attempt(), TOKEN)));
        expect(used.filter(Boolean)).toHaveLength(1);
      });
    });

    describe('startOnce', () => {
      const attemptOf = (of: string) => ({ hash: hashOf(`of ${of.slice(0, 24)} ${String(tests)}`), expiresAt: FAR });
      it('Starts a session of the operator for an attempt to sign in, whose hash and end are given.', async () => {
        expect(await sessions.startOnce(attemptOf('own'), hash, TOKEN, operator.id, ORIGIN)).toBe(true);
        expect(await actorOf(hash)).toMatchObject({ operatorId: operator.id, role: 'viewer' });
        expect((await sessions.list(TOKEN)).find(({ operator: of }) => of?.id === operator.id)).toMatchObject(ORIGIN);
      });
      it('Returns false and starts nothing when the attempt has started a session before.', async () => {
        const attempt = attemptOf('replayed');
        const hashes = ['a', 'b', 'c'].map((letter) => hashOf(`${letter} once ${String(tests)}`));
        const started = await Promise.all(hashes.map((one) => sessions.startOnce(attempt, one, TOKEN, operator.id, ORIGIN)));
        expect(started.filter(Boolean)).toHaveLength(1);
        for (const [n, one] of hashes.entries()) expect(isUse(await sessions.use(one, TOKEN))).toBe(started[n]);
        // The attempt is kept neither as a session nor as a code.
        expect(isUse(await sessions.use(attempt.hash, TOKEN))).toBe(false);
        expect(await sessions.exchange(attempt.hash, hash, TOKEN, ORIGIN)).toBe(false);
      });
    });

    describe('createCode', () => {
      it('Creates a code of the operator for 10 minutes, and returns when it expires, in ISO 8601.', async () => {
        const expiresAt = await sessions.createCode(code, TOKEN, null);
        const later = await sessions.createCode(hash, TOKEN, null);
        expect(expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(Date.parse(later ?? '')).toBeGreaterThanOrEqual(Date.parse(expiresAt ?? ''));
        await world.pass(9 * MINUTE);
        expect(await sessions.exchange(code, hashOf(`of ${code}`), TOKEN, ORIGIN)).toBe(true);
      });
      it('Returns null and creates nothing when the token that opens it has ended.', async () => {
        const revoked = await aToken();
        await world.ports.operatorTokens.revoke(operator.id, revoked);
        expect(await sessions.createCode(code, TOKEN, opener(revoked))).toBeNull();
        expect(await sessions.exchange(code, hash, TOKEN, ORIGIN)).toBe(false);
      });
      it('Ends the oldest codes of the operator beyond 10.', async () => {
        const codes = Array.from({ length: 11 }, (_, n) => hashOf(`${String(n)} of ${String(tests)}`));
        await sessions.createCode(code, TOKEN, null);
        for (const one of codes) {
          await sessions.createCode(one, TOKEN, opener());
          await world.pass(1);
        }
        const looked = await Promise.all([...codes, code].map((one) => sessions.lookAtCode(one, TOKEN)));
        expect(looked.map((found) => found !== null)).toEqual([false, ...codes.map(() => true)]);
      });
    });

    describe('lookAtCode', () => {
      it('Returns who the code signs in, and leaves the code as it is.', async () => {
        await sessions.createCode(code, TOKEN, opener());
        await sessions.createCode(hash, TOKEN, null);
        const { id: operatorId, name: theirs } = operator;
        for (let times = 0; times < 2; times += 1)
          expect(await sessions.lookAtCode(code, TOKEN)).toEqual({ operatorId, name: theirs });
        expect(await sessions.lookAtCode(hash, TOKEN)).toEqual({ operatorId: null, name: OWNER.name });
        expect(await sessions.exchange(code, hashOf(`of ${code}`), TOKEN, ORIGIN)).toBe(true);
      });
      it('Returns null when it would start no session.', async () => {
        const [used, late, revoked, session] = ['used', 'late', 'revoked', 'session'].map((of) =>
          hashOf(`${of} code ${String(tests)}`),
        );
        const token = await aToken();
        await sessions.createCode(late ?? '', TOKEN, opener());
        await world.pass(10 * MINUTE);
        await sessions.createCode(used ?? '', TOKEN, opener());
        await sessions.exchange(used ?? '', hash, TOKEN, ORIGIN);
        await sessions.createCode(revoked ?? '', TOKEN, opener(token));
        await world.ports.operatorTokens.revoke(operator.id, token);
        await sessions.start(session ?? '', TOKEN, opener(), ORIGIN);
        await sessions.createCode(code, TOKEN, opener());
        const asked = [used, late, revoked, session].map((of) => sessions.lookAtCode(of ?? '', TOKEN));
        expect(await Promise.all([...asked, sessions.lookAtCode(code, OTHER_TOKEN)])).toEqual([null, null, null, null, null]);
        await world.ports.operators.end(operator.id);
        expect(await sessions.lookAtCode(code, TOKEN)).toBeNull();
      });
    });

    describe('exchange', () => {
      it("Starts a session of the code's operator in exchange for the code.", async () => {
        await sessions.createCode(code, TOKEN, opener());
        expect(await sessions.exchange(code, hash, TOKEN, ORIGIN)).toBe(true);
        expect(await actorOf(hash)).toMatchObject({ operatorId: operator.id });
        await sessions.createCode(code, TOKEN, null);
        expect(await sessions.exchange(code, hashOf(`owner ${String(tests)}`), TOKEN, ORIGIN)).toBe(true);
        expect(await actorOf(hashOf(`owner ${String(tests)}`))).toEqual(OWNER);
      });
      it('Returns false and starts nothing when the code was used before.', async () => {
        await sessions.createCode(code, TOKEN, null);
        const hashes = ['a', 'b', 'c'].map((letter) => hashOf(`${letter} ${String(tests)}`));
        const exchanged = await Promise.all(hashes.map((one) => sessions.exchange(code, one, TOKEN, ORIGIN)));
        expect(exchanged.filter(Boolean)).toHaveLength(1);
        for (const [n, one] of hashes.entries()) expect(isUse(await sessions.use(one, TOKEN))).toBe(exchanged[n]);
      });
      it('Returns false when the code has expired.', async () => {
        await sessions.createCode(code, TOKEN, null);
        await world.pass(10 * MINUTE);
        expect(await sessions.exchange(code, hash, TOKEN, ORIGIN)).toBe(false);
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(false);
      });
      it('Returns false when the code was made under another admin token.', async () => {
        await sessions.createCode(code, OTHER_TOKEN, null);
        expect(await sessions.exchange(code, hash, TOKEN, ORIGIN)).toBe(false);
        expect(await sessions.exchange(code, hash, OTHER_TOKEN, ORIGIN)).toBe(true);
      });
      it('Returns false for the hash of a session.', async () => {
        await sessions.start(code, TOKEN, null, ORIGIN);
        expect(await sessions.exchange(code, hash, TOKEN, ORIGIN)).toBe(false);
        expect(isUse(await sessions.use(code, TOKEN))).toBe(true);
      });
      it('Returns false when the token that made the code has ended.', async () => {
        const [revoked, expiring] = [await aToken(), await aToken(5)];
        const other = hashOf(`expiring ${String(tests)}`);
        await sessions.createCode(code, TOKEN, opener(revoked));
        await sessions.createCode(other, TOKEN, opener(expiring));
        await world.ports.operatorTokens.revoke(operator.id, revoked);
        await world.pass(6 * MINUTE);
        for (const of of [code, other]) expect(await sessions.exchange(of, hash, TOKEN, ORIGIN)).toBe(false);
      });
    });

    describe('use', () => {
      it('Returns null when the token that opened it, or its code, was revoked or has expired.', async () => {
        for (const way of ['revoked', 'expired']) {
          const token = await aToken(way === 'expired' ? 5 : null);
          const [own, byCode] = [hashOf(`own ${token.slice(-20)}`), hashOf(`by code ${token.slice(-20)}`)];
          await sessions.start(own, TOKEN, opener(token), ORIGIN);
          await sessions.createCode(hashOf(`code ${token.slice(-20)}`), TOKEN, opener(token));
          await sessions.exchange(hashOf(`code ${token.slice(-20)}`), byCode, TOKEN, ORIGIN);
          for (const of of [own, byCode]) expect(await actorOf(of)).toMatchObject({ operatorId: operator.id });
          if (way === 'revoked') await world.ports.operatorTokens.revoke(operator.id, token);
          else await world.pass(6 * MINUTE);
          for (const of of [own, byCode]) expect([await actorOf(of), await sessions.look(of, TOKEN)]).toEqual([null, null]);
        }
      });
      it('Returns the session with who uses it.', async () => {
        await sessions.start(hash, TOKEN, opener(), ORIGIN);
        await sessions.start(code, TOKEN, null, ORIGIN);
        const { id: operatorId, name: theirs, role, storeIds } = operator;
        const own = await sessions.use(hash, TOKEN);
        expect(own).toEqual({ id: expect.any(String) as string, actor: { operatorId, name: theirs, role, storeIds } });
        expect((await sessions.use(code, TOKEN))?.actor).toEqual(OWNER);
        await world.ports.operators.update(operator.id, { role: 'operator' });
        expect(await sessions.use(hash, TOKEN)).toEqual({
          id: own?.id,
          actor: { operatorId, name: theirs, role: 'operator', storeIds },
        });
      });
      it('Returns null when its operator has ended.', async () => {
        await sessions.start(hash, TOKEN, opener(), ORIGIN);
        await world.ports.operators.end(operator.id);
        // Another node may have begun it before the end.
        await sessions.start(code, TOKEN, opener(), ORIGIN);
        expect([await sessions.use(hash, TOKEN), await sessions.use(code, TOKEN)]).toEqual([null, null]);
      });
      it('Returns null when the session does not exist.', async () => {
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(false);
        await sessions.start(hash, TOKEN, null, ORIGIN);
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(true);
      });
      it('Returns null after 30 minutes without use.', async () => {
        await sessions.start(hash, TOKEN, null, ORIGIN);
        await world.pass(30 * MINUTE);
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(false);
      });
      it('A use keeps the session for another 30 minutes.', async () => {
        await sessions.start(hash, TOKEN, null, ORIGIN);
        for (let times = 0; times < 4; times += 1) {
          await world.pass(28 * MINUTE);
          expect(isUse(await sessions.use(hash, TOKEN))).toBe(true);
        }
        await world.pass(30 * MINUTE);
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(false);
      });
      it('Returns null 8 hours after the start.', async () => {
        await sessions.start(hash, TOKEN, null, ORIGIN);
        for (let minutes = 20; minutes < 480; minutes += 20) {
          await world.pass(20 * MINUTE);
          expect(isUse(await sessions.use(hash, TOKEN))).toBe(true);
        }
        await world.pass(20 * MINUTE);
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(false);
      });
      it('Returns null when the session was started under another admin token.', async () => {
        await sessions.start(hash, OTHER_TOKEN, null, ORIGIN);
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(false);
      });
      it('Returns null for the hash of a code.', async () => {
        await sessions.createCode(code, TOKEN, null);
        expect(isUse(await sessions.use(code, TOKEN))).toBe(false);
      });
    });

    describe('look', () => {
      it('Returns the session that has not ended, under this admin token, with who uses it.', async () => {
        expect(isUse(await sessions.look(hash, TOKEN))).toBe(false);
        await sessions.start(hash, TOKEN, null, ORIGIN);
        await sessions.createCode(code, TOKEN, null);
        const judged = [sessions.look(hash, TOKEN), sessions.look(hash, OTHER_TOKEN), sessions.look(code, TOKEN)];
        expect((await Promise.all(judged)).map((use) => use?.actor ?? null)).toEqual([OWNER, null, null]);
        await sessions.end(hash);
        expect(isUse(await sessions.look(hash, TOKEN))).toBe(false);
      });
      it('Does not keep it for longer.', async () => {
        await sessions.start(hash, TOKEN, null, ORIGIN);
        await world.pass(28 * MINUTE);
        expect(isUse(await sessions.look(hash, TOKEN))).toBe(true);
        await world.pass(2 * MINUTE);
        expect(isUse(await sessions.look(hash, TOKEN))).toBe(false);
      });
    });

    describe('list', () => {
      it('Returns the sessions that have not ended, under this admin token, the newest first.', async () => {
        const under = hashOf(`token ${String(tests)}`);
        const theirs = hashOf(`theirs ${String(tests)}`);
        await sessions.start(hash, under, null, ORIGIN);
        await world.pass(1);
        await sessions.start(theirs, under, opener(), { address: null, agent: null });
        await sessions.createCode(code, under, null);
        await sessions.start(hashOf(`other ${String(tests)}`), OTHER_TOKEN, null, ORIGIN);
        const listed = await sessions.list(under);
        expect(listed).toMatchObject([
          { operator: { id: operator.id, name: operator.name }, address: null, agent: null },
          { operator: null, ...ORIGIN },
        ]);
        expect(Object.keys(listed[0] ?? {}).sort()).toEqual(['address', 'agent', 'expiresAt', 'id', 'operator', 'startedAt']);
        await sessions.end(hash);
        await world.ports.operators.end(operator.id);
        expect(await sessions.list(under)).toEqual([]);
      });
    });

    describe('end', () => {
      it('Ends the session.', async () => {
        await sessions.start(hash, TOKEN, null, ORIGIN);
        await sessions.end(hash);
        expect(await sessions.use(hash, TOKEN)).toBeNull();
      });
      it('Leaves other sessions as they are.', async () => {
        await sessions.start(hash, TOKEN, null, ORIGIN);
        await sessions.end(code);
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(true);
      });
      it('An attempt that has started a session stays used.', async () => {
        const attempt = { hash: hashOf(`ended ${String(tests)}`), expiresAt: FAR };
        await sessions.startOnce(attempt, hash, TOKEN, operator.id, ORIGIN);
        await sessions.end(attempt.hash);
        expect(await sessions.startOnce(attempt, code, TOKEN, operator.id, ORIGIN)).toBe(false);
      });
    });

    describe('endById', () => {
      const start = async (of: string): Promise<string> => {
        await sessions.start(of, TOKEN, null, ORIGIN);
        return (await sessions.use(of, TOKEN))?.id ?? '';
      };
      it('Ends the session of this id.', async () => {
        expect(await sessions.endById(await start(hash))).toBe(true);
        expect(await sessions.use(hash, TOKEN)).toBeNull();
      });
      it('Leaves other sessions as they are.', async () => {
        await start(hash);
        await sessions.endById(await start(code));
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(true);
      });
      it('Returns false when there is no such session.', async () => {
        expect(await sessions.endById(world.ids.next())).toBe(false);
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` sessions and codes that have expired, and returns how many.', async () => {
        await world.pass(9 * 60 * MINUTE);
        await sessions.purge(1000);
        await sessions.start(hash, TOKEN, null, ORIGIN);
        await sessions.createCode(code, TOKEN, null);
        await sessions.createCode(hashOf(`second ${code}`), TOKEN, null);
        await world.pass(15 * MINUTE);
        expect([await sessions.purge(1), await sessions.purge(5)]).toEqual([1, 1]);
        expect(isUse(await sessions.use(hash, TOKEN))).toBe(true);
      });
    });
  });
};
