import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { ConsoleSessions } from '../../src/domain/ports/identity/console-sessions.ts';
import { hashOf, type IdentityWorld } from './identity-worlds.ts';

const TOKEN = hashOf('the admin token');
const OTHER_TOKEN = hashOf('another admin token');
const MINUTE = 60;

export const consoleSessionsContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`ConsoleSessions on ${name}`, () => {
    let world: IdentityWorld;
    let sessions: ConsoleSessions;
    let hash: string;
    let code: string;
    let tests = 0;
    beforeAll(async () => {
      world = await open();
      sessions = world.ports.consoleSessions;
    });
    afterAll(() => world.close());
    beforeEach(() => {
      tests += 1;
      [hash, code] = [hashOf(`session ${String(tests)}`), hashOf(`code ${String(tests)}`)];
    });

    describe('start', () => {
      it('Starts a session.', async () => {
        await sessions.start(hash, TOKEN);
        expect(await sessions.use(hash, TOKEN)).toBe(true);
      });
    });

    describe('createCode', () => {
      it('Creates a code for 10 minutes, and returns when it expires, in ISO 8601.', async () => {
        const expiresAt = await sessions.createCode(code, TOKEN);
        const later = await sessions.createCode(hash, TOKEN);
        expect(expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(Date.parse(later)).toBeGreaterThanOrEqual(Date.parse(expiresAt));
        await world.pass(9 * MINUTE);
        expect(await sessions.exchange(code, hashOf(`of ${code}`), TOKEN)).toBe(true);
      });
    });

    describe('exchange', () => {
      it('Starts a session in exchange for the code.', async () => {
        await sessions.createCode(code, TOKEN);
        expect(await sessions.exchange(code, hash, TOKEN)).toBe(true);
        expect(await sessions.use(hash, TOKEN)).toBe(true);
      });
      it('Returns false and starts nothing when the code was used before.', async () => {
        await sessions.createCode(code, TOKEN);
        const hashes = ['a', 'b', 'c'].map((letter) => hashOf(`${letter} ${String(tests)}`));
        const exchanged = await Promise.all(hashes.map((one) => sessions.exchange(code, one, TOKEN)));
        expect(exchanged.filter(Boolean)).toHaveLength(1);
        for (const [n, one] of hashes.entries()) expect(await sessions.use(one, TOKEN)).toBe(exchanged[n]);
      });
      it('Returns false when the code has expired.', async () => {
        await sessions.createCode(code, TOKEN);
        await world.pass(10 * MINUTE);
        expect(await sessions.exchange(code, hash, TOKEN)).toBe(false);
        expect(await sessions.use(hash, TOKEN)).toBe(false);
      });
      it('Returns false when the code was made under another admin token.', async () => {
        await sessions.createCode(code, OTHER_TOKEN);
        expect(await sessions.exchange(code, hash, TOKEN)).toBe(false);
        expect(await sessions.exchange(code, hash, OTHER_TOKEN)).toBe(true);
      });
      it('Returns false for the hash of a session.', async () => {
        await sessions.start(code, TOKEN);
        expect(await sessions.exchange(code, hash, TOKEN)).toBe(false);
        expect(await sessions.use(code, TOKEN)).toBe(true);
      });
    });

    describe('use', () => {
      it('Returns whether the session exists.', async () => {
        expect(await sessions.use(hash, TOKEN)).toBe(false);
        await sessions.start(hash, TOKEN);
        expect(await sessions.use(hash, TOKEN)).toBe(true);
      });
      it('Returns false after 30 minutes without use.', async () => {
        await sessions.start(hash, TOKEN);
        await world.pass(30 * MINUTE);
        expect(await sessions.use(hash, TOKEN)).toBe(false);
      });
      it('A use keeps the session for another 30 minutes.', async () => {
        await sessions.start(hash, TOKEN);
        for (let times = 0; times < 4; times += 1) {
          await world.pass(28 * MINUTE);
          expect(await sessions.use(hash, TOKEN)).toBe(true);
        }
        await world.pass(30 * MINUTE);
        expect(await sessions.use(hash, TOKEN)).toBe(false);
      });
      it('Returns false 8 hours after the start.', async () => {
        await sessions.start(hash, TOKEN);
        for (let minutes = 20; minutes < 480; minutes += 20) {
          await world.pass(20 * MINUTE);
          expect(await sessions.use(hash, TOKEN)).toBe(true);
        }
        await world.pass(20 * MINUTE);
        expect(await sessions.use(hash, TOKEN)).toBe(false);
      });
      it('Returns false when the session was started under another admin token.', async () => {
        await sessions.start(hash, OTHER_TOKEN);
        expect(await sessions.use(hash, TOKEN)).toBe(false);
      });
      it('Returns false for the hash of a code.', async () => {
        await sessions.createCode(code, TOKEN);
        expect(await sessions.use(code, TOKEN)).toBe(false);
      });
    });

    describe('isValid', () => {
      it('Returns whether the session has not ended, under this admin token.', async () => {
        expect(await sessions.isValid(hash, TOKEN)).toBe(false);
        await sessions.start(hash, TOKEN);
        await sessions.createCode(code, TOKEN);
        const judged = [sessions.isValid(hash, TOKEN), sessions.isValid(hash, OTHER_TOKEN), sessions.isValid(code, TOKEN)];
        expect(await Promise.all(judged)).toEqual([true, false, false]);
        await sessions.end(hash);
        expect(await sessions.isValid(hash, TOKEN)).toBe(false);
      });
      it('Does not keep it for longer.', async () => {
        await sessions.start(hash, TOKEN);
        await world.pass(28 * MINUTE);
        expect(await sessions.isValid(hash, TOKEN)).toBe(true);
        await world.pass(2 * MINUTE);
        expect(await sessions.isValid(hash, TOKEN)).toBe(false);
      });
    });

    describe('end', () => {
      it('Ends the session.', async () => {
        await sessions.start(hash, TOKEN);
        await sessions.end(hash);
        expect(await sessions.use(hash, TOKEN)).toBe(false);
      });
      it('Leaves other sessions as they are.', async () => {
        await sessions.start(hash, TOKEN);
        await sessions.end(code);
        expect(await sessions.use(hash, TOKEN)).toBe(true);
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` sessions and codes that have expired, and returns how many.', async () => {
        await world.pass(9 * 60 * MINUTE);
        await sessions.purge(1000);
        await sessions.start(hash, TOKEN);
        await sessions.createCode(code, TOKEN);
        await sessions.createCode(hashOf(`second ${code}`), TOKEN);
        await world.pass(15 * MINUTE);
        expect([await sessions.purge(1), await sessions.purge(5)]).toEqual([1, 1]);
        expect(await sessions.use(hash, TOKEN)).toBe(true);
      });
    });
  });
};
