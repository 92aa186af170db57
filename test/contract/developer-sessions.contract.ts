import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { PlatformApp } from '../../src/domain/identity/platform-app.ts';
import type { DeveloperSessions } from '../../src/domain/ports/identity/developer-sessions.ts';
import { beforeAll } from './hooks.ts';
import { aPlatformApp, hashOf, type IdentityWorld } from './identity-worlds.ts';

const MINUTE = 60;

export const developerSessionsContract = (name: string, open: () => Promise<IdentityWorld>): void => {
  describe(`DeveloperSessions on ${name}`, () => {
    let world: IdentityWorld;
    let sessions: DeveloperSessions;
    let app: PlatformApp;
    let secret: string;
    let hash: string;
    let code: string;
    beforeAll(async () => {
      world = await open();
      sessions = world.ports.developerSessions;
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      app = await aPlatformApp(world);
      secret = hashOf(`${app.id.slice(-12)} first`);
      hash = hashOf(`session ${app.id.slice(-12)}`);
      code = hashOf(`code ${app.id.slice(-12)}`);
    });
    const start = (of = hash) => sessions.start(app.id, secret, of);
    const suspend = () => world.ports.platformApps.update(app.id, { status: 'Suspended' });
    const resume = () => world.ports.platformApps.update(app.id, { status: 'Active' });
    const rotate = (overlapSeconds: number) => {
      const next = { id: world.ids.next(), hash: hashOf(`${app.id.slice(-12)} second`) };
      return world.ports.platformApps.rotateClientSecret(app.id, next, overlapSeconds);
    };
    const openedBy = async (of = hash) => (await sessions.use(of))?.openedBy ?? 'nobody';

    describe('start', () => {
      it('Starts a session of the app, opened by this client secret.', async () => {
        expect(await start()).toBe(true);
        expect(await sessions.use(hash)).toEqual({ appId: app.id, openedBy: 'Secret' });
      });
      it('Ends it with the secret.', async () => {
        await start();
        await rotate(5 * MINUTE);
        const newer = hashOf(`newer ${app.id.slice(-12)}`);
        await sessions.start(app.id, hashOf(`${app.id.slice(-12)} second`), newer);
        expect(await openedBy()).toBe('Secret');
        await world.pass(5 * MINUTE);
        expect([await openedBy(), await openedBy(newer)]).toEqual(['nobody', 'Secret']);
      });
      it('Returns false and starts nothing when the secret is not valid.', async () => {
        const other = await aPlatformApp(world);
        expect(await sessions.start(other.id, secret, hash)).toBe(false);
        await rotate(0);
        expect(await start()).toBe(false);
        expect(await openedBy()).toBe('nobody');
      });
      it('Returns false and starts nothing when the app is suspended.', async () => {
        await suspend();
        expect(await start()).toBe(false);
        await resume();
        expect(await openedBy()).toBe('nobody');
      });
    });

    describe('createCode', () => {
      it('Creates a code for 10 minutes, and returns when it expires, in ISO 8601.', async () => {
        expect(await sessions.createCode(app.id, code)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        await world.pass(9 * MINUTE);
        expect(await sessions.exchange(code, hash)).toBe(true);
      });
      it('Returns null and creates nothing when the app is suspended.', async () => {
        await suspend();
        expect(await sessions.createCode(app.id, code)).toBeNull();
        await resume();
        expect(await sessions.exchange(code, hash)).toBe(false);
      });
      it('Returns null when the app does not exist.', async () => {
        expect(await sessions.createCode(world.ids.next(), code)).toBeNull();
      });
    });

    describe('lookAtCode', () => {
      it('Returns the id of the app whose developer the code signs in, and leaves the code as it is.', async () => {
        await sessions.createCode(app.id, code);
        for (let times = 0; times < 2; times += 1) expect(await sessions.lookAtCode(code)).toBe(app.id);
        expect(await sessions.exchange(code, hash)).toBe(true);
      });
      it('Returns null when it would start no session.', async () => {
        const [late, used] = ['late', 'used'].map((of) => hashOf(`${of} ${app.id.slice(-12)}`)) as [string, string];
        await sessions.createCode(app.id, late);
        await world.pass(10 * MINUTE);
        await sessions.createCode(app.id, used);
        await sessions.exchange(used, hash);
        await sessions.createCode(app.id, code);
        await suspend();
        const asked = [late, used, hash, code].map((of) => sessions.lookAtCode(of));
        expect(await Promise.all(asked)).toEqual([null, null, null, null]);
      });
    });

    describe('exchange', () => {
      beforeEach(() => sessions.createCode(app.id, code));

      it("Starts a session of the code's app, opened by a link.", async () => {
        expect(await sessions.exchange(code, hash)).toBe(true);
        expect(await sessions.use(hash)).toEqual({ appId: app.id, openedBy: 'Link' });
      });
      it('Ends it with the newest client secret from when the code was made.', async () => {
        await rotate(5 * MINUTE);
        expect(await sessions.exchange(code, hash)).toBe(true);
        expect(await openedBy()).toBe('Link');
        await world.pass(5 * MINUTE);
        expect(await openedBy()).toBe('nobody');
      });
      it('Returns false and starts nothing when the code was used before.', async () => {
        const hashes = ['a', 'b', 'c'].map((letter) => hashOf(`${letter} ${app.id.slice(-12)}`));
        const exchanged = await Promise.all(hashes.map((one) => sessions.exchange(code, one)));
        expect(exchanged.filter(Boolean)).toHaveLength(1);
        for (const [n, one] of hashes.entries()) expect(await openedBy(one)).toBe(exchanged[n] ? 'Link' : 'nobody');
      });
      it('Returns false when the code has expired.', async () => {
        await world.pass(10 * MINUTE);
        expect(await sessions.exchange(code, hash)).toBe(false);
      });
      it('Returns false when the app is suspended.', async () => {
        await suspend();
        expect(await sessions.exchange(code, hash)).toBe(false);
        await resume();
        expect(await sessions.exchange(code, hash)).toBe(false);
      });
      it('Returns false for the hash of a session.', async () => {
        await start();
        expect(await sessions.exchange(hash, hashOf(`other ${app.id.slice(-12)}`))).toBe(false);
        expect(await openedBy()).toBe('Secret');
      });
    });

    describe('use', () => {
      it('Returns the app of the session, and what opened it.', async () => {
        await start();
        expect(await sessions.use(hash)).toEqual({ appId: app.id, openedBy: 'Secret' });
      });
      it('A use keeps the session for another 30 minutes.', async () => {
        await start();
        for (let times = 0; times < 4; times += 1) {
          await world.pass(28 * MINUTE);
          expect(await openedBy()).toBe('Secret');
        }
        await world.pass(30 * MINUTE);
        expect(await openedBy()).toBe('nobody');
      });
      it('Returns null when the session has ended.', async () => {
        await start();
        for (let hours = 0; hours < 8; hours += 0.25) {
          expect(await openedBy()).toBe('Secret');
          await world.pass(15 * MINUTE);
        }
        expect(await openedBy()).toBe('nobody');
        await sessions.createCode(app.id, code);
        expect(await openedBy(code)).toBe('nobody');
      });
      it('Returns null when the app is suspended, and also when it is active again.', async () => {
        await start();
        // Times are kept in milliseconds.
        await world.pass(1);
        await suspend();
        expect(await openedBy()).toBe('nobody');
        await resume();
        expect(await openedBy()).toBe('nobody');
      });
    });

    describe('end', () => {
      it('Ends the session.', async () => {
        await start();
        await sessions.end(hash);
        expect(await openedBy()).toBe('nobody');
      });
      it('Leaves other sessions as they are.', async () => {
        await start();
        await sessions.end(code);
        expect(await openedBy()).toBe('Secret');
      });
    });

    describe('purge', () => {
      it('Deletes at most `limit` sessions and codes that have expired, and returns how many.', async () => {
        await world.pass(9 * 60 * MINUTE);
        await sessions.purge(1000);
        await start();
        await sessions.createCode(app.id, code);
        await sessions.createCode(app.id, hashOf(`2nd ${code}`));
        await world.pass(15 * MINUTE);
        expect([await sessions.purge(1), await sessions.purge(5)]).toEqual([1, 1]);
        expect(await openedBy()).toBe('Secret');
      });
    });
  });
};
