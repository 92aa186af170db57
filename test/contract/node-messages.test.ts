import { describe, expect, it } from 'vitest';

import { createNodeMessages } from '../../src/adapters/prisma/work/node-messages.ts';
import { createRedisNodeMessages as createOnRedis } from '../../src/adapters/redis/node-messages.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';
import { nodeMessagesContract } from './node-messages.contract.ts';
import { onOwnSession } from '../support/own-session.ts';

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
    onOwnSession('postgresql://127.0.0.1:1/none?sslmode=disable', (session) => createNodeMessages({ session, onLost })),
    createOnRedis({ url: 'redis://127.0.0.1:1', onLost }),
  ];
  for (const node of nodes) node.listen('live-items', { onMessage: () => undefined });
  await expect.poll(() => losses.length).toBe(2);
  expect(nodes.map((node) => node.send('live-items', 'lost'))).toEqual([false, false]);
  await Promise.all(nodes.map((node) => node.close()));
  expect(losses).toHaveLength(2);
});
