import { channelOf } from '../connection/node-session.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

export type FeedTopic = 'store' | 'installation';

export const topicKey = (topic: FeedTopic, id: string): string => `${topic}/${id}`;

const NOTIFY = statement({
  text: `SELECT pg_notify('${channelOf('feed')}', topic) FROM unnest($topics::text[]) AS topic`,
  parameters: { topics: 'text[]' },
});

/** Reports these topics to all nodes. In a transaction, its commit does. */
export const notifyFeed = async (sql: Sql, topics: readonly string[]): Promise<void> => {
  await sql.execute(NOTIFY, { topics });
};

/**
 * Has the requests that wait for the feed check their rights, on every node, once the transaction is
 * committed.
 */
export const wakeFeed = (sql: Sql, topic: FeedTopic, id: string): Promise<void> => notifyFeed(sql, [topicKey(topic, id)]);
