import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { OWNER, type Operator } from '../../src/domain/identity/operator.ts';
import type { ConsoleSessions, SessionUse } from '../../src/domain/ports/identity/console-sessions.ts';
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
        await sessions.start(hash, TOKEN, operator.id, ORIGIN);
        expect(await actorOf(hash)).toMatchObject({ operatorId: operator.id, role: 'viewer' });
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
        // What is kept of the attempt is neither a session nor a code.
        expect(isUse(await sessions.use(attempt.hash, TOKEN))).toBe(false);
        expect(await sessions.exchange(attempt.hash, hash, TOKEN, ORIGIN)).toBe(false);
      });
    });

    describe('createCode', () => {
      it('Creates a code of the operator for 10 minutes, and returns when it expires, in ISO 8601.', async () => {
        const expiresAt = await sessions.createCode(code, TOKEN, null);
        const later = await sessions.createCode(hash, TOKEN, null);
        expect(expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(Date.parse(later)).toBeGreaterThanOrEqual(Date.parse(expiresAt));
        await world.pass(9 * MINUTE);
        expect(await sessions.exchange(code, hashOf(`of ${code}`), TOKEN, ORIGIN)).toBe(true);
      });
    });

    describe('exchange', () => {
      it("Starts a session of the code's operator in exchange for the code.", async () => {
        await sessions.createCode(code, TOKEN, operator.id);
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
    });

    describe('use', () => {
      it('Returns the session with who uses it.', async () => {
        await sessions.start(hash, TOKEN, operator.id, ORIGIN);
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
        await sessions.start(hash, TOKEN, operator.id, ORIGIN);
        await world.ports.operators.end(operator.id);
        // Another node may have begun it before the end.
        await sessions.start(code, TOKEN, operator.id, ORIGIN);
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
        await sessions.start(theirs, under, operator.id, { address: null, agent: null });
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
