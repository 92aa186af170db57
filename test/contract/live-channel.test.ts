import { describe, expect, it } from 'vitest';

import { createLiveChannel as memoryLive } from '../memory/live-channel.ts';
import { createNodeMessages as memoryNetwork } from '../memory/node-messages.ts';
import { createLiveChannel } from '../../src/adapters/live/live-channel.ts';
import { createNodeMessages } from '../../src/adapters/prisma/work/node-messages.ts';
import { createRedisNodeMessages as createOnRedis } from '../../src/adapters/redis/node-messages.ts';
import type { LiveChannel, LiveItem } from '../../src/domain/ports/webhooks/live-channel.ts';
import type { NodeMessages } from '../../src/domain/ports/node-messages.ts';
import { storeKey } from '../../src/domain/store-key.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { redisAvailable, startRedis } from '../support/redis.ts';
import { liveChannelContract, type LiveWorld } from './live-channel.contract.ts';
import { onOwnSession } from '../support/own-session.ts';

const RENEW_MS = 100;

liveChannelContract('memory', async () => {
  const { node, kill } = memoryLive();
  return {
    node,
    kill: async (dead) => {
      kill(dead);
    },
    close: async () => undefined,
  };
});

const overMessages = (open: () => NodeMessages, close: () => Promise<void>): LiveWorld => {
  const opened = new Map<LiveChannel, NodeMessages>();
  return {
    node: () => {
      const messages = open();
      const node = createLiveChannel({ messages, renewMs: RENEW_MS });
      opened.set(node, messages);
      return node;
    },
    // Without its messages it cannot say that it ends.
    kill: async (node) => opened.get(node)?.close(),
    close: async () => {
      for (const [node, messages] of opened) {
        await node.close();
        await messages.close();
      }
      await close();
    },
  };
};

liveChannelContract('live, over messages in memory', async () => overMessages(memoryNetwork().node, async () => undefined));

liveChannelContract('live, over messages on prisma', async () => {
  const database = await openTestDatabase();
  return overMessages(
    () => onOwnSession(database.url, (session) => createNodeMessages({ session })),
    () => database.close(),
  );
});

describe.skipIf(!redisAvailable)('with a redis-server', () => {
  liveChannelContract('live, over messages on redis', async () => {
    const server = await startRedis();
    return overMessages(
      () => createOnRedis({ url: server.url }),
      () => server.stop(),
    );
  });
});

describe('over messages', () => {
  /** Two nodes, with every message that they send. */
  const openTwo = (refuses: () => boolean = () => false) => {
    const network = memoryNetwork();
    const sent: string[] = [];
    const node = (): LiveChannel => {
      const inner = network.node();
      const send: NodeMessages['send'] = (topic, message) => {
        if (topic === 'live-items' && refuses()) return false;
        sent.push(`${topic} ${message}`);
        return inner.send(topic, message);
      };
      return createLiveChannel({ messages: { ...inner, send } });
    };
    return { a: node(), b: node(), sent, network };
  };
  const anEvent = (id: string): LiveItem => ({
    kind: 'event',
    id,
    type: 'order.paid',
    resourceId: null,
    requestId: null,
    at: '2026-11-22T21:00:00.000Z',
  });

  it('nothing is sent while nobody watches, and nothing when only this node watches', async () => {
    const { a, b, sent } = openTwo();
    expect(sent.map((message) => message.includes('"ask":true'))).toEqual([true, true]);
    const here: LiveItem[] = [];
    const there: LiveItem[] = [];
    a.publish(storeKey('nobody'), [anEvent('1')]);
    a.watch(storeKey('here'), ({ items }) => here.push(...items));
    b.watch(storeKey('there'), ({ items }) => there.push(...items));
    for (const subject of ['nobody', 'here', 'there']) a.publish(storeKey(subject), [anEvent(subject)]);
    expect(here).toEqual([anEvent('here')]);
    await expect.poll(() => there).toEqual([anEvent('there')]);
    await Promise.all([a.close(), b.close()]);
    const texts = sent.filter((message) => message.startsWith('live-items'));
    expect(texts).toEqual([expect.stringContaining('"subject":"there"')]);
  });

  it('a node that begins later learns at once what is watched', async () => {
    const { a, b, network } = openTwo();
    a.watch(storeKey('s'), () => undefined);
    const late = createLiveChannel({ messages: network.node() });
    expect(late.isWatched(storeKey('s'))).toBe(true);
    await Promise.all([a.close(), b.close(), late.close()]);
  });

  it('what is too much for one batch is dropped, and its count arrives, also when the network is away for a while', async () => {
    let isAway = false;
    let refused = 0;
    const { a, b } = openTwo(() => {
      if (isAway) refused += 1;
      return isAway;
    });
    const items: LiveItem[] = [];
    let dropped = 0;
    b.watch(storeKey('s'), (batch) => {
      items.push(...batch.items);
      dropped += batch.dropped;
    });
    const many = Array.from({ length: 5_000 }, (_, k) => anEvent(String(k)));
    a.publish(storeKey('s'), many);
    await expect.poll(() => items.length + dropped).toBe(5_000);
    expect(items.length).toBeGreaterThan(500);
    expect(items).toEqual(many.slice(0, items.length));
    isAway = true;
    a.publish(storeKey('s'), [anEvent('lost')]);
    await expect.poll(() => refused).toBeGreaterThan(2);
    isAway = false;
    await expect.poll(() => items.length + dropped).toBe(5_001);
    a.publish(storeKey('s'), [anEvent('back')]);
    await expect.poll(() => items.at(-1)).toEqual(anEvent('back'));
    await Promise.all([a.close(), b.close()]);
  });
});
