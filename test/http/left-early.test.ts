import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';

import { readBytes } from '../../src/adapters/http/serving/input/body.ts';

/** A request whose client has sent this, and left before anybody read it. */
const left = async (sent: string): Promise<IncomingMessage> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(sent);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const closed = once(request, 'close');
  client.destroy();
  await closed.catch(() => undefined);
  server.close();
  return request;
};

const head = (length: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${String(length)}\r\n\r\n`;

describe('the body of a client that left before it was read', () => {
  it.each([
    ['that has arrived', '{"a":1}'],
    ['that is empty', ''],
  ])('%s is read', async (_title, body) => {
    const read = await readBytes(await left(`${head(body.length)}${body}`), 100);
    expect(read).toEqual({ ok: true, value: Buffer.from(body) });
  });
  it('that has not arrived ends the request', async () => {
    await expect(readBytes(await left(`${head(50)}{"a`), 100)).rejects.toThrow('before its body had arrived');
  });
  it('that is too large is refused', async () => {
    const chunked = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n0\r\n\r\n`;
    expect(await readBytes(await left(chunked), 7)).toMatchObject({ ok: false, code: 'payload_too_large' });
  });
});
