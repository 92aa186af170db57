import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

export interface BrokenRedis {
  readonly url: string;
  /** Connections that were cut. */
  readonly cut: () => number;
  /** From now on every connection lives. */
  mend(): void;
  close(): Promise<void>;
}

/**
 * Before a Redis on this port: each connection is cut when it asks for INFO the second time. The
 * first is ioredis's own, which says that it is ready.
 */
export const openBrokenRedis = async (port: number): Promise<BrokenRedis> => {
  const sockets = new Set<Socket>();
  let cut = 0;
  let broken = true;
  const server = createServer((client) => {
    const upstream = createConnection({ port, host: '127.0.0.1' });
    let asked = 0;
    sockets.add(client);
    client.on('data', (data) => {
      asked += data.toString('latin1').match(/\binfo\r\n/gi)?.length ?? 0;
      if (asked < 2 || !broken) upstream.write(data);
      else if (client.destroy().destroyed) cut += 1;
    });
    upstream.on('data', (data) => client.write(data));
    client.on('error', () => upstream.destroy()).on('close', () => upstream.end());
    upstream.on('error', () => client.destroy()).on('close', () => client.end());
    client.on('close', () => sockets.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    cut: () => cut,
    mend: () => {
      broken = false;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};
