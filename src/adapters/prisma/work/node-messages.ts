import {
  MAX_MESSAGE_BYTES,
  NODE_TOPICS,
  type NodeListener,
  type NodeMessages,
  type NodeTopic,
} from '../../../domain/ports/node-messages.ts';
import { openDedicated, type Dedicated } from '../connection/dedicated.ts';
import { asError } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { pause } from '../../startup/deadline.ts';

const ANSWER_MS = 5_000;
const BEAT_MS = 10_000;
const RECONNECT_MS = 1_000;
/** A server that falls behind by this many messages gets no more of them until it has answered. */
const MAX_UNANSWERED = 200;

/** A message that a crash of the server loses is not missed, so no message waits for the disk. */
const NO_WAIT = statement({ text: 'SET synchronous_commit = off' });
const NOTIFY = statement({
  text: 'SELECT pg_notify($channel, $message)',
  parameters: { channel: 'text', message: 'text' },
});
const CHANNELS = {
  'live-interest': {
    name: 'tenon_live_interest',
    listen: statement({ text: 'LISTEN tenon_live_interest' }),
    unlisten: statement({ text: 'UNLISTEN tenon_live_interest' }),
  },
  'live-items': {
    name: 'tenon_live_items',
    listen: statement({ text: 'LISTEN tenon_live_items' }),
    unlisten: statement({ text: 'UNLISTEN tenon_live_items' }),
  },
} as const satisfies Record<NodeTopic, unknown>;

export interface NodeMessagesOptions {
  readonly url: string;
  /** Called once each time the connection is lost. A new one is tried every second. */
  readonly onLost?: (error: Error) => void;
}

/** Messages over LISTEN and NOTIFY, on one connection that the first listener opens. */
export const createNodeMessages = ({ url, onLost }: NodeMessagesOptions): NodeMessages => {
  const listeners = new Map<NodeTopic, Set<NodeListener>>(NODE_TOPICS.map((topic) => [topic, new Set()]));
  const closing = new AbortController();
  let session: Dedicated | null = null;
  let running: Promise<void> | null = null;
  let unanswered = 0;
  let isLost = false;

  const listenersOf = (topic: NodeTopic): Set<NodeListener> => listeners.get(topic) ?? new Set();
  const topicOf = (channel: string): NodeTopic | undefined => NODE_TOPICS.find((topic) => CHANNELS[topic].name === channel);
  const lose = (error: unknown): void => {
    if (!isLost) onLost?.(asError(error));
    isLost = true;
  };

  /** Never rejects: a statement that fails ends the session, which reports it. */
  const receive = (opened: Dedicated, topic: NodeTopic, told: readonly NodeListener[]): Promise<void> =>
    opened.sql.execute(CHANNELS[topic].listen).then(
      () => {
        for (const listener of told) if (listenersOf(topic).has(listener)) listener.onConnected?.();
      },
      () => undefined,
    );

  /** Rejects when no connection can be opened. */
  const connect = async (onEnd: () => void): Promise<void> => {
    const opened = await openDedicated({
      url,
      name: 'tenon messages',
      answerMs: ANSWER_MS,
      beatMs: BEAT_MS,
      onNotification: (channel, message) => {
        const topic = topicOf(channel);
        if (topic) for (const listener of [...listenersOf(topic)]) listener.onMessage(message);
      },
      onEnd: (error) => {
        session = null;
        if (error) lose(error);
        onEnd();
      },
    });
    if (closing.signal.aborted) {
      await opened.close();
      return;
    }
    unanswered = 0;
    isLost = false;
    session = opened;
    opened.sql.execute(NO_WAIT).catch(() => undefined);
    for (const [topic, some] of listeners) if (some.size > 0) void receive(opened, topic, [...some]);
  };

  /** Resolves when the connection has ended, or could not be opened. */
  const connection = (): Promise<void> =>
    new Promise((resolve) => {
      connect(resolve).catch((error: unknown) => {
        lose(error);
        resolve();
      });
    });

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await connection();
      await pause(RECONNECT_MS, closing);
    }
  };

  return {
    send: (topic, message) => {
      if (session === null || unanswered >= MAX_UNANSWERED || Buffer.byteLength(message) > MAX_MESSAGE_BYTES) return false;
      const on = session;
      const answered = (): void => {
        if (session === on) unanswered -= 1;
      };
      unanswered += 1;
      on.sql.execute(NOTIFY, { channel: CHANNELS[topic].name, message }).then(answered, answered);
      return true;
    },
    listen: (topic, listener) => {
      const own = { ...listener };
      listenersOf(topic).add(own);
      if (session) void receive(session, topic, [own]);
      else if (!closing.signal.aborted) running ??= run();
      return () => {
        const some = listenersOf(topic);
        some.delete(own);
        if (some.size === 0) session?.sql.execute(CHANNELS[topic].unlisten).catch(() => undefined);
      };
    },
    close: async () => {
      closing.abort();
      for (const some of listeners.values()) some.clear();
      await session?.close();
      await running;
    },
  };
};
