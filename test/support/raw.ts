import { connect } from 'node:net';

/** The head of a stream that has no end. */
const ENDLESS = /^Content-Type: text\/event-stream[^]*\r\n\r\n/im;

/**
 * Sends these bytes, and returns the answer until the server closes the connection, as latin-1;
 * only the beginning of an endless stream. A reset rejects.
 */
export const raw = (url: string, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket
      .on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (ENDLESS.test(text)) socket.destroy();
      })
      .on('close', () => {
        resolve(text);
      })
      .on('error', reject);
  });

/** The lines as the head of a request. */
export const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

export interface RawAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request unchanged (headers twice, bytes that no library would send), on a separate connection. */
export const ask = async (url: string, lines: readonly string[], body: string | Buffer = ''): Promise<RawAnswer> => {
  const length = Buffer.byteLength(body);
  const top = head(...lines, ...(length > 0 ? [`Content-Length: ${String(length)}`] : []), 'Connection: close');
  const text = await raw(url, Buffer.concat([Buffer.from(top, 'latin1'), Buffer.from(body)]));
  const end = text.indexOf('\r\n\r\n');
  const [status = '', ...fields] = text.slice(0, end).split('\r\n');
  const headers = fields.map((field) => /^([^:]+): (.*)$/.exec(field) ?? []).map(([, name = '', value = '']) => [name, value]);
  return {
    status: Number(status.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name = '', value]) => [name.toLowerCase(), value])) as Record<string, string>,
    body: text.slice(end + 4),
  };
};
