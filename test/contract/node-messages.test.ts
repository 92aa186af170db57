import { describe, expect, it } from 'vitest';

import { createNodeMessages as memoryNetwork } from '../memory/node-messages.ts';
import { createNodeMessages } from '../../src/adapters/prisma/work/node-messages.ts';
import { createNodeMessages as createOnRedis } from '../../src/adapters/redis/node-messages.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';
import { nodeMessagesContract } from './node-messages.contract.ts';

nodeMessagesContract('memory', async () => {
  const network = memoryNetwork();
  return {
    node: network.node,
    disconnect: async () => {
      network.disconnect();
    },
    connect: async () => {
      network.connect();
    },
    close: async () => undefined,
  };
});

nodeMessagesContract('prisma', async () => {
  const database = await openTestDatabase();
  const proxy = await openTcpProxy(database.url);
  return {
    node: () => createNodeMessages({ url: proxy.url }),
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
});

describe.skipIf(!redisAvailable)('with a redis-server', () => {
  nodeMessagesContract('redis', async () => {
    let server = await startRedis();
    return {
      node: () => createOnRedis({ url: server.url }),
      disconnect: () => server.stop(),
      connect: async () => {
        server = await startRedis(server.port);
      },
      close: () => server.stop(),
    };
  });
});

it('a loss of the connection is reported once, however long it lasts, and a node that cannot connect can be closed', async () => {
  const losses: Error[] = [];
  const onLost = (error: Error): void => {
    losses.push(error);
  };
  const nodes = [
    createNodeMessages({ url: 'postgresql://127.0.0.1:1/none?sslmode=disable', onLost }),
    createOnRedis({ url: 'redis://127.0.0.1:1', onLost }),
  ];
  for (const node of nodes) node.listen('live-items', { onMessage: () => undefined });
  await expect.poll(() => losses.length).toBe(2);
  expect(nodes.map((node) => node.send('live-items', 'lost'))).toEqual([false, false]);
  await Promise.all(nodes.map((node) => node.close()));
  expect(losses).toHaveLength(2);
});
