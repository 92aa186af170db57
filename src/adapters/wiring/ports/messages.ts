import type { NodeMessages } from '../../../domain/ports/node-messages.ts';
import { ConnectionLost } from '../../../domain/unavailable.ts';
import { createRedisNodeMessages } from '../../redis/node-messages.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Opening } from './closers.ts';
import type { Config } from '../settings/config.ts';

/** Opens the messages between nodes, over Redis or else over the database. */
export const openMessages = (config: Config, storage: Storage, { log, closers }: Opening): NodeMessages => {
  const onLost = (error: Error): void => {
    log.warn(
      { err: new ConnectionLost(error) },
      'The connection for messages between nodes was lost. Live streams show what happens on this node only.',
    );
  };
  const messages =
    config.REDIS_URL === undefined ? storage.openMessages(onLost) : createRedisNodeMessages({ url: config.REDIS_URL, onLost });
  closers.push(() => messages.close());
  return messages;
};
