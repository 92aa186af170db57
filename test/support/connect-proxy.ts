import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface TestProxy {
  readonly url: string;
  /** CONNECT requests, in order. */
  readonly asked: readonly { readonly authority: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/**
 * An HTTP proxy on loopback to which every name is this machine. It answers CONNECT with the
 * status, or not at all.
 */
export const startProxy = async (status: number | null = 200): Promise<TestProxy> => {
  const asked: { authority: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer().on('connect', ({ url = '', headers }, client: Socket) => {
    asked.push({ authority: url, authorization: headers['proxy-authorization'] });
    sockets.add(client.on('error', () => undefined));
    if (status === null) return;
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const target = connect(Number(url.slice(url.lastIndexOf(':') + 1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    sockets.add(target.on('error', () => client.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};
