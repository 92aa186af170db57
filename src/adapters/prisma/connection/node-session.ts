import { NODE_TOPICS, type NodeListener } from '../../../domain/ports/node-messages.ts';
import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import { openDedicated, type Dedicated } from './dedicated.ts';
import { statement } from './statement.ts';

/** The locks of the session are lost then, long before a stop ends it from outside. */
const ANSWER_MS = 2_000;
const BEAT_MS = 500;
/** For this long after its last answer the session counts as alive. */
const FRESH_MS = 2_000;

/**
 * The session writes nothing but messages, and a message that a crash of the server loses is not missed. A session that
 * waited for a standby would lose its locks.
 */
const NO_WAIT = statement({ text: 'SET synchronous_commit = off' });

/** Stops of work, changes of feeds, and the topics of live streams. */
const TOPICS = ['stop', 'feed', ...NODE_TOPICS] as const;
export type Topic = (typeof TOPICS)[number];

export const channelOf = (topic: Topic): string => `tenon_${topic.replace('-', '_')}`;

const on = (verb: string, topic: Topic) => ({ text: `${verb} ${channelOf(topic)}` });
const LISTEN = {
  stop: statement(on('LISTEN', 'stop')),
  feed: statement(on('LISTEN', 'feed')),
  'live-interest': statement(on('LISTEN', 'live-interest')),
  'live-items': statement(on('LISTEN', 'live-items')),
};
const UNLISTEN = {
  stop: statement(on('UNLISTEN', 'stop')),
  feed: statement(on('UNLISTEN', 'feed')),
  'live-interest': statement(on('UNLISTEN', 'live-interest')),
  'live-items': statement(on('UNLISTEN', 'live-items')),
};

interface TopicListener extends NodeListener {
  /** Called once, at the moment the session ends. Null when it was closed on purpose. */
  readonly onEnd?: (error: Error | null) => void;
}

export interface OpenSession extends Pick<Dedicated, 'sql' | 'spreadsStores' | 'ping'> {
  /** True when the server had this session, with its locks, in the last two seconds, by a clock that runs while the process is paused. */
  isFresh(): boolean;
}

/** The one connection of this process that has its session locks, and that sends and receives messages between nodes. */
export interface NodeSession {
  /** The session, which receives each topic that has a listener. Opens it where there is none. Throws DatabaseUnavailable. */
  open(): Promise<OpenSession>;
  /** The session that is open, if there is one. */
  current(): OpenSession | null;
  /** Opens no session. Returns a function that ends it. */
  listen(topic: Topic, listener: TopicListener): () => void;
  close(): Promise<void>;
}

interface NodeSessionOptions {
  readonly url: string;
  readonly onLost?: (error: Error) => void;
}

export const createNodeSession = ({ url, onLost }: NodeSessionOptions): NodeSession => {
  const listeners = new Map(TOPICS.map((topic) => [topic, new Set<TopicListener>()] as const));
  const listenersOf = (topic: Topic): Set<TopicListener> => listeners.get(topic) ?? new Set();
  let opening: Promise<OpenSession> | null = null;
  let current: (OpenSession & Pick<Dedicated, 'close'>) | null = null;
  let isClosed = false;

  const receive = async ({ sql }: OpenSession, topic: Topic, hearing: readonly TopicListener[]): Promise<void> => {
    await sql.execute(LISTEN[topic]);
    for (const listener of hearing) if (listenersOf(topic).has(listener)) listener.onConnected?.();
  };

  const connect = async (): Promise<OpenSession> => {
    const { age, ...dedicated } = await openDedicated({
      url,
      name: 'tenon signals',
      answerMs: ANSWER_MS,
      beatMs: BEAT_MS,
      onNotification: (channel, message) => {
        const topic = TOPICS.find((one) => channelOf(one) === channel);
        if (topic) for (const listener of [...listenersOf(topic)]) listener.onMessage(message);
      },
      onEnd: (error) => {
        [opening, current] = [null, null];
        for (const hearing of listeners.values()) for (const listener of hearing) listener.onEnd?.(error);
        if (error) onLost?.(error);
      },
    });
    const session = { ...dedicated, isFresh: () => age() <= FRESH_MS };
    current = session;
    if (isClosed) await session.close();
    const heard = TOPICS.map((topic) => [topic, [...listenersOf(topic)]] as const).filter(([, { length }]) => length > 0);
    await Promise.all([session.sql.execute(NO_WAIT), ...heard.map(([topic, hearing]) => receive(session, topic, hearing))]);
    return session;
  };

  return {
    open: () => {
      if (isClosed) return Promise.reject(new Error('The session of this process is closed'));
      if (opening) return opening;
      const begun = connect().catch((error: unknown) => {
        if (opening === begun) opening = null;
        throw new DatabaseUnavailable('The connection for messages between nodes could not be opened', { cause: error });
      });
      return (opening = begun);
    },
    current: () => current,
    listen: (topic, listener) => {
      const own = { ...listener };
      listenersOf(topic).add(own);
      // A statement that fails ends the session, which reports it.
      if (current) receive(current, topic, [own]).catch(() => undefined);
      return () => {
        const hearing = listenersOf(topic);
        hearing.delete(own);
        if (hearing.size === 0) current?.sql.execute(UNLISTEN[topic]).catch(() => undefined);
      };
    },
    close: async () => {
      isClosed = true;
      await opening?.catch(() => undefined);
      await current?.close();
    },
  };
};
