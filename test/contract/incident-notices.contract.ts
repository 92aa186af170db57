import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';

import type { Notice } from '../../src/domain/insight/incident-message.ts';
import type { NoticeChannel } from '../../src/domain/insight/notice-rules.ts';
import type { NewIncident } from '../../src/domain/ports/insight/incidents.ts';
import { NO_STORE } from '../../src/domain/ports/locator.ts';
import { isoTime } from '../../src/domain/time.ts';
import { useShop, type DeliveryWorld, type Shop } from './delivery-worlds.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

export const incidentNoticesContract = (name: string, open: () => Promise<DeliveryWorld>): void => {
  describe(`IncidentNotices on ${name}`, () => {
    let shop: Shop;
    useShop(open, (made) => {
      shop = made;
    });
    beforeEach(async () => {
      // Notices of earlier tests are too old to be sent.
      await shop.world.pass(2 * DAY);
    });
    const log = () => shop.ports.incidents;
    const notices = () => shop.ports.incidentNotices;
    const begin = async (count = 1, channels: readonly NoticeChannel[] = ['webhook', 'slack']): Promise<NewIncident[]> => {
      const since = isoTime(await shop.world.now());
      const of = {
        storeId: shop.storeId,
        kind: 'receiver_failing',
        name: 'x.test',
        since,
        impact: 3,
        cause: 'It fails.',
      } as const;
      const all = Array.from({ length: count }, () => ({ ...of, id: shop.world.ids.next(), subject: randomUUID() }));
      await log().begin(all, channels);
      return all;
    };
    const take = (channel: NoticeChannel = 'webhook', limit = 100) => notices().take(channel, limit);
    const told = (taken: readonly Notice[]) => taken.map(({ phase, incident }) => [phase, incident.id]);
    const later = (seconds = 61) => shop.world.pass(seconds);

    describe('take', () => {
      it('Takes at most `limit` notices of the channel that are due, the oldest first.', async () => {
        const [first] = await begin();
        await later();
        const [second] = await begin();
        await later();
        expect(told(await take('webhook', 1))).toEqual([['begin', first?.id]]);
        expect(told(await take('slack', 2))).toEqual([
          ['begin', first?.id],
          ['begin', second?.id],
        ]);
        expect(await take('mail')).toEqual([]);
      });
      it('Begins with a wait of 10 seconds after they were written.', async () => {
        await begin();
        expect(await take()).toEqual([]);
        await later(11);
        expect(await take()).toHaveLength(1);
      });
      it('Takes none within 60 seconds after a take of the same channel, also when two nodes take at once.', async () => {
        await begin(2);
        await later();
        const both = await Promise.all([take('webhook', 1), take('webhook', 1)]);
        expect(both.flat()).toHaveLength(1);
        expect(await take('slack')).toHaveLength(2);
        await later(55);
        expect(await take('webhook', 1)).toEqual([]);
        await later(6);
        expect(await take('webhook', 1)).toHaveLength(1);
      });
      it('Takes one again that was not sent, after a wait that doubles from 60 seconds to an hour.', async () => {
        await begin();
        await later();
        for (const wait of [60, 120, 240, 480, 960, 1_920, HOUR, HOUR]) {
          expect(await take()).toHaveLength(1);
          await later(wait - 5);
          expect(await take()).toEqual([]);
          await later(6);
        }
      });
      it('Takes none that was written more than 24 hours ago.', async () => {
        await begin();
        await later(DAY);
        expect(await take()).toEqual([]);
      });
      it('Shows each incident as it is now.', async () => {
        const [one] = await begin();
        await log().see([{ ...one!, impact: 50 }]);
        await later();
        const [taken] = await take();
        const [shown] = (await log().list(shop.storeId, {}, { after: null, take: 9 })) ?? [];
        expect(taken).toEqual({ phase: 'begin', incident: shown });
        expect(taken?.incident).toMatchObject({ storeId: shop.storeId, impact: 50 });
      });
    });

    describe('sent', () => {
      it('Notes that they were sent: they are not taken again.', async () => {
        await begin(2);
        await later();
        const taken = await take();
        await notices().sent('webhook', taken.slice(0, 1));
        await later();
        expect(told(await take())).toEqual(told(taken.slice(1)));
        expect(await take('slack')).toHaveLength(2);
        const of = {
          storeId: NO_STORE,
          kind: 'keys_unopened',
          subject: randomUUID(),
          name: 'k1',
          impact: 1,
          cause: 'x',
        } as const;
        const id = shop.world.ids.next();
        await log().begin([{ ...of, id, since: isoTime(await shop.world.now()) }], ['mail']);
        await later();
        const server = await take('mail');
        expect(server).toMatchObject([{ incident: { id, storeId: null } }]);
        await notices().sent('mail', server);
        await later(DAY / 2);
        expect(await take('mail')).toEqual([]);
        await log().end([{ storeId: NO_STORE, id }]);
      });
    });
  });
};
