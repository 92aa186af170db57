import { describe, expect, it } from 'vitest';

import { FORGET_SECONDS, LIVE_SECONDS, liveProcesses, type RunningProcess } from '../../src/domain/insight/processes.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

export const processesContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`Processes on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    const processes = () => shop.ports.processes;
    const a = (own: Partial<RunningProcess> = {}): RunningProcess => ({
      id: shop.world.ids.next(),
      name: 'host:1',
      role: 'all',
      version: '0.1.0',
      keys: ['k2', 'k1'],
      sealing: 'k1',
      tasks: [{ name: 'The search for due deliveries', everySeconds: 20, secondsAgo: 1.5 }],
      ...own,
    });
    /** Processes of other tests may be there. */
    const find = async (id: string) => (await processes().list()).seen.find((one) => one.id === id);

    const ids = async (of: readonly RunningProcess[]) =>
      (await processes().list()).seen.map(({ id }) => id).filter((id) => of.some((one) => one.id === id));

    describe('beat', () => {
      it('records that the process runs now, and replaces what it said before', async () => {
        const process = a();
        await processes().beat(process);
        await shop.world.pass(30);
        const next = { ...process, keys: ['k2'], sealing: 'k2', tasks: [] };
        await processes().beat(next);
        const seen = await find(process.id);
        expect(seen).toEqual({ ...next, secondsOld: seen?.secondsOld, secondsUnseen: seen?.secondsUnseen, ended: false });
        expect(seen?.secondsOld).toBeGreaterThanOrEqual(30);
        expect(seen?.secondsUnseen).toBeLessThan(30);
      });
    });

    describe('list', () => {
      it('returns what each process said last, with its age and how long it was not seen', async () => {
        const process = a();
        await processes().beat(process);
        await shop.world.pass(30);
        const seen = await find(process.id);
        expect(seen).toEqual({ ...process, secondsOld: seen?.secondsOld, secondsUnseen: seen?.secondsUnseen, ended: false });
        expect(seen?.secondsOld).toBeGreaterThanOrEqual(30);
        expect(seen?.secondsUnseen).toBeGreaterThanOrEqual(30);
      });
      it('returns the oldest first', async () => {
        const [older, newer] = [a({ name: 'host:2' }), a({ role: 'worker' })];
        await processes().beat(older);
        await shop.world.pass(LIVE_SECONDS);
        await processes().beat(newer);
        expect(await ids([newer, older])).toEqual([older.id, newer.id]);
        const { seen } = await processes().list();
        expect(liveProcesses(seen).some(({ id }) => id === older.id)).toBe(false);
        expect(liveProcesses(seen).some(({ id }) => id === newer.id)).toBe(true);
      });
      it('forgets a process that was not seen for a day', async () => {
        const [gone, other] = [a(), a()];
        await processes().beat(gone);
        await shop.world.pass(FORGET_SECONDS);
        expect(await find(gone.id)).toBeUndefined();
        await processes().beat(other);
        expect(await ids([gone, other])).toEqual([other.id]);
      });
    });

    describe('leave', () => {
      it('records that the process ends', async () => {
        const process = a();
        await processes().beat(process);
        await processes().leave(process.id);
        expect(await find(process.id)).toMatchObject({ ended: true });
        expect(liveProcesses((await processes().list()).seen).some(({ id }) => id === process.id)).toBe(false);
        await processes().beat(process);
        expect(await find(process.id)).toMatchObject({ ended: false });
      });
      it('does nothing where there is no such process', async () => {
        await processes().leave(shop.world.ids.next());
      });
    });
  });
};
