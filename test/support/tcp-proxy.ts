import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface TcpProxy {
  /** The server's address, by way of the proxy. */
  readonly url: string;
  /**
   * From now on, of the first connection that says `text`: the server gets it, does it and answers,
   * and the connection is cut before the client has the answer. Resolves when that has happened.
   */
  loseAnswerTo(text: string): Promise<void>;
  /** Cuts every connection; later ones pass. Returns how many there were. */
  cut(): number;
  close(): Promise<void>;
}

interface Fault {
  readonly text: string;
  readonly landed: () => void;
}

/** Where that PostgreSQL listens. The directory of a Unix socket is in `?host=`. */
const targetOf = (url: URL): { path: string } | { host: string; port: number } => {
  const port = Number(url.port || 5432);
  const directory = url.searchParams.get('host');
  return directory?.startsWith('/') ? { path: `${directory}/.s.PGSQL.${String(port)}` } : { host: url.hostname, port };
};

/**
 * A TCP proxy on a free port before the PostgreSQL of that URL, for faults between the two.
 * Connections are not encrypted.
 */
export const openTcpProxy = async (databaseUrl: string): Promise<TcpProxy> => {
  const target = targetOf(new URL(databaseUrl));
  const clients = new Set<Socket>();
  let fault: Fault | undefined;

  const server = createServer((client) => {
    const upstream = createConnection(target);
    let lost: Fault | undefined;
    clients.add(client);
    client.on('data', (data) => {
      if (fault !== undefined && data.includes(fault.text)) {
        lost = fault;
        fault = undefined;
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (lost === undefined) client.write(data);
      else {
        client.destroy();
        lost.landed();
      }
    });
    // One end's end, however it comes, is the other's.
    client.on('error', () => upstream.destroy()).on('close', () => upstream.end());
    upstream.on('error', () => client.destroy()).on('close', () => client.end());
    client.on('close', () => clients.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  url.searchParams.delete('host');
  const cut = (): number => {
    const { size } = clients;
    for (const client of clients) client.destroy();
    return size;
  };
  return {
    url: url.href,
    loseAnswerTo: (text) =>
      new Promise((resolve) => {
        fault = { text, landed: resolve };
      }),
    cut,
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
};
