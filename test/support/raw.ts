import { connect } from 'node:net';

/** What a server answers to these bytes until it closes the connection, as latin-1. A reset rejects. */
export const raw = (url: string, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket
      .on('data', (chunk) => {
        text += chunk.toString('latin1');
      })
      .on('close', () => {
        resolve(text);
      })
      .on('error', reject);
  });

/** The lines as the head of a request. */
export const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
