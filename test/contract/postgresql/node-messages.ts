import { expect } from 'vitest';
import { createNodeMessages } from '../../../src/adapters/prisma/work/node-messages.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';
import type { MessagesWorld } from '../node-messages.contract.ts';
import { onOwnSession } from '../../support/own-session.ts';

export const postgresqlMessagesWorld = async (): Promise<MessagesWorld> => {
  const database = await openTestDatabase();
  const proxy = await openTcpProxy(database.url);
  return {
    node: () => onOwnSession(proxy.url, (session) => createNodeMessages({ session })),
    disconnect: async () => {
      expect(proxy.cut()).toBeGreaterThan(0);
    },
    // A connection that was cut comes back by itself.
    connect: async () => undefined,
    close: async () => {
      await proxy.close();
      await database.close();
    },
  };
};
