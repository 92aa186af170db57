import { once } from 'node:events';
import { createConnection, createServer, Socket, type AddressInfo, type Server } from 'node:net';

export interface TcpProxy {
  /** The server's address, by way of the proxy. */
  readonly url: string;
  /**
   * From now on, of the first connection that says `text`: the server gets it, does it and answers,
   * and the connection is cut before the client has the answer. Resolves when that has happened.
   */
  loseAnswerTo(text: string): Promise<void>;
  /**
   * From now on the open connections pass nothing on, their end neither: what comes is acknowledged
   * and thrown away. New ones pass, or are as silent until `speak`. The silent ones stay so until
   * they are cut.
   */
  fallSilent(options: { readonly newToo: boolean }): void;
  /** New connections pass again. */
  speak(): void;
  /** New connections lead to the PostgreSQL of this URL, as when a name moves. The open ones stay. */
  leadTo(databaseUrl: string): void;
  /** The bytes that were thrown away, of all time. */
  readonly swallowed: () => number;
  /** Cuts every connection; later ones pass. Returns how many there were. */
  cut(): number;
  close(): Promise<void>;
}

/** Where a proxy listens, if not on the loopback: a socket that listens, and its host's name. */
export interface Door {
  readonly server: Server;
  readonly host: string;
}

interface Fault {
  readonly text: string;
  readonly landed: () => void;
}

/** A client, and the connection to the server for it: never opened for one that came into silence. */
interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  silent: boolean;
}

/** Where that PostgreSQL listens. The directory of a Unix socket is in `?host=`. */
const targetOf = (url: URL): { path: string } | { host: string; port: number } => {
  const port = Number(url.port || 5432);
  const directory = url.searchParams.get('host');
  return directory?.startsWith('/') ? { path: `${directory}/.s.PGSQL.${String(port)}` } : { host: url.hostname, port };
};

const onLoopback = async (): Promise<Door> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, host: '127.0.0.1' };
};

/**
 * A TCP proxy on a free port before the PostgreSQL of that URL, for faults between the two.
 * Connections are not encrypted.
 */
export const openTcpProxy = async (databaseUrl: string, door?: Door): Promise<TcpProxy> => {
  let target = targetOf(new URL(databaseUrl));
  const pairs = new Set<Pair>();
  let fault: Fault | undefined;
  let newAreSilent = false;
  let swallowed = 0;

  const { server, host } = door ?? (await onLoopback());
  server.on('connection', (client) => {
    const upstream = newAreSilent ? new Socket() : createConnection(target);
    const pair: Pair = { client, upstream, silent: newAreSilent };
    let lost: Fault | undefined;
    const passes = (data: Buffer): boolean => {
      if (pair.silent) swallowed += data.length;
      return !pair.silent;
    };
    const ends = (other: Socket, how: 'destroy' | 'end') => (): void => {
      if (!pair.silent) other[how]();
    };
    pairs.add(pair);
    client.on('data', (data) => {
      if (!passes(data)) return;
      if (fault !== undefined && data.includes(fault.text)) {
        lost = fault;
        fault = undefined;
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (!passes(data)) return;
      if (lost === undefined) client.write(data);
      else {
        client.destroy();
        lost.landed();
      }
    });
    // Each end of the connection ends the other.
    client.on('error', ends(upstream, 'destroy')).on('close', ends(upstream, 'end'));
    upstream.on('error', ends(client, 'destroy')).on('close', ends(client, 'end'));
    client.on('close', () => {
      if (!pair.silent) pairs.delete(pair);
    });
  });

  const url = new URL(databaseUrl);
  url.hostname = host;
  url.port = String((server.address() as AddressInfo).port);
  url.searchParams.delete('host');
  const cut = (): number => {
    const open = [...pairs].filter(({ client }) => !client.destroyed).length;
    for (const { client, upstream, silent } of pairs) {
      client.destroy();
      if (silent) upstream.destroy();
    }
    pairs.clear();
    return open;
  };
  return {
    url: url.href,
    loseAnswerTo: (text) =>
      new Promise((resolve) => {
        fault = { text, landed: resolve };
      }),
    fallSilent: ({ newToo }) => {
      newAreSilent = newToo;
      for (const pair of pairs) pair.silent = true;
    },
    speak: () => {
      newAreSilent = false;
    },
    leadTo: (other) => {
      target = targetOf(new URL(other));
    },
    swallowed: () => swallowed,
    cut,
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
};
