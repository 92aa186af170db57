import type { Redis } from 'ioredis';

import {
  MAX_MESSAGE_BYTES,
  NODE_TOPICS,
  type NodeListener,
  type NodeMessages,
  type NodeTopic,
} from '../../domain/ports/node-messages.ts';
import { openRedis } from './connection.ts';

export interface RedisNodeMessagesOptions {
  readonly url: string;
  /** Called once each time the connection is lost. A new one is tried every second. */
  readonly onLost?: (error: Error) => void;
}

const ANSWER_MS = 5_000;
/** A Redis that falls behind by this many messages gets no more of them until it has answered. */
const MAX_UNANSWERED = 200;

const channelOf = (topic: NodeTopic): string => `tenon:${topic}`;

/** Messages over PUBLISH, on one connection that sends and one that receives. */
export const createRedisNodeMessages = ({ url, onLost }: RedisNodeMessagesOptions): NodeMessages => {
  const sender = openRedis(url, ANSWER_MS, { lazyConnect: true });
  // Each connection subscribes explicitly, so that every listener hears of it.
  const receiver = openRedis(url, ANSWER_MS, { lazyConnect: true, autoResubscribe: false, keepAlive: 10_000 });
  const listeners = new Map<NodeTopic, Set<NodeListener>>(NODE_TOPICS.map((topic) => [topic, new Set()]));
  const listenersOf = (topic: NodeTopic): Set<NodeListener> => listeners.get(topic) ?? new Set();
  const isReady = (redis: Redis): boolean => redis.status === 'ready';
  let unanswered = 0;
  let isLost = false;
  let isClosed = false;

  /** Never rejects: a command fails with its connection, which reports it and comes back. */
  const receive = (topic: NodeTopic, told: readonly NodeListener[]): Promise<void> =>
    receiver.subscribe(channelOf(topic)).then(
      () => {
        for (const listener of told) if (listenersOf(topic).has(listener)) listener.onConnected?.();
      },
      () => undefined,
    );
  /** Both connections, so that a listener can answer at once. */
  const connected = (): void => {
    if (!isReady(sender) || !isReady(receiver)) return;
    isLost = false;
    for (const [topic, some] of listeners) if (some.size > 0) void receive(topic, [...some]);
  };
  receiver.on('message', (channel, message) => {
    const topic = NODE_TOPICS.find((one) => channelOf(one) === channel);
    if (topic) for (const listener of [...listenersOf(topic)]) listener.onMessage(message);
  });
  for (const redis of [sender, receiver]) {
    redis.on('ready', connected);
    redis.on('error', (error: Error) => {
      if (!isLost) onLost?.(error);
      isLost = true;
    });
  }

  return {
    send: (topic, message) => {
      if (isClosed || !isReady(sender) || unanswered >= MAX_UNANSWERED || Buffer.byteLength(message) > MAX_MESSAGE_BYTES)
        return false;
      const answered = (): void => {
        unanswered -= 1;
      };
      unanswered += 1;
      sender.publish(channelOf(topic), message).then(answered, answered);
      return true;
    },
    listen: (topic, listener) => {
      const own = { ...listener };
      listenersOf(topic).add(own);
      // An error of the connection is reported by its event.
      for (const redis of [sender, receiver]) if (redis.status === 'wait') redis.connect().catch(() => undefined);
      if (isReady(sender) && isReady(receiver)) void receive(topic, [own]);
      return () => {
        const some = listenersOf(topic);
        some.delete(own);
        if (some.size === 0 && isReady(receiver)) receiver.unsubscribe(channelOf(topic)).catch(() => undefined);
      };
    },
    close: () => {
      isClosed = true;
      for (const some of listeners.values()) some.clear();
      sender.disconnect();
      receiver.disconnect();
      return Promise.resolve();
    },
  };
};
