import { Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { Redis } from 'ioredis';
import pg from 'pg';

import { WatchedClient } from '../../../../src/adapters/postgres/watched-client.ts';
import type { Ports } from '../../../../src/domain/ports/index.ts';

/** A connection whose answer does not come is waited for. */
export const noDeadline = (ports: Ports): Ports => {
  WatchedClient.prototype.destroy = () => undefined;
  return ports;
};

const BACK_OFF_MS = 20_000;

/** After a failed connection none is tried for a while. */
export const backsOff = (ports: Ports): Ports => {
  const { connect } = pg.Client.prototype as unknown as { connect: (this: pg.Client) => Promise<pg.Client> };
  let failure: unknown;
  let failedAt = -Infinity;
  pg.Client.prototype.connect = async function (this: pg.Client): Promise<pg.Client> {
    if (!(this instanceof WatchedClient)) return connect.call(this);
    if (performance.now() - failedAt < BACK_OFF_MS) throw failure;
    try {
      return await connect.call(this);
    } catch (error) {
      failure = error;
      failedAt = performance.now();
      throw error;
    }
  };
  return ports;
};

/** A node is ready as long as its process answers, even if its requests fail. */
export const readyIfAlive = (ports: Ports): Ports => {
  const { emit } = Server.prototype as { emit: (this: Server, event: string, ...args: unknown[]) => boolean };
  Server.prototype.emit = function (this: Server, event: string, ...args: unknown[]) {
    const [request, response] = args as [IncomingMessage, ServerResponse];
    if (event !== 'request' || request.url !== '/readyz') return emit.call(this, event, ...args);
    response.end('{"status":"ok"}');
    return true;
  };
  return ports;
};

/** Waits for Redis. */
export const asksRedis = (ports: Ports): Ports => {
  const { sendCommand } = Redis.prototype;
  Redis.prototype.sendCommand = function (this: Redis, ...args) {
    delete this.options.commandTimeout;
    delete this.options.socketTimeout;
    return sendCommand.apply(this, args);
  };
  return ports;
};
