import type pg from 'pg';

import { Epochs } from '../../../../src/adapters/prisma/connection/epochs.ts';
import type { Ports } from '../../../../src/domain/ports/index.ts';

/** A cursor is a position alone, in the present history of the feed. */
export const noEpoch = (ports: Ports): Ports => ({
  ...ports,
  eventFeed: {
    ...ports.eventFeed,
    read: async (query) => {
      const { after, storeId } = query;
      const newest = after && (await ports.eventFeed.newest(storeId));
      return ports.eventFeed.read({ ...query, after: newest ? { ...newest, position: after.position } : after });
    },
  },
});

/** Answers reads from any server, whether the standby has the rows or not. */
export const noBarrier = (ports: Ports): Ports => {
  const { meet } = Epochs.prototype;
  Epochs.prototype.meet = function (this: Epochs, client: pg.ClientBase): Promise<void> {
    meet.call(this, client).catch(() => undefined);
    return Promise.resolve();
  };
  return ports;
};
