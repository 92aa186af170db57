import type http from 'node:http';
import type { IncomingMessage } from 'node:http';

/** Without an import, which a bundler for another platform could not resolve. */
const httpOfNode = (): typeof http | undefined =>
  (globalThis as Partial<Pick<typeof globalThis, 'process'>>).process?.getBuiltinModule('node:http');

const headersOf = ({ headersDistinct }: IncomingMessage): [string, string][] =>
  Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));

const textOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  response.setEncoding('utf8');
  for await (const part of response) text += String(part);
  return text;
};

/**
 * `fetch` for a store on your own machine, such as `http://first.localhost:4000`. Names below
 * `localhost` are loopback addresses (RFC 6761), but Node.js looks them up in the DNS. It does what
 * the transport needs: headers as an object, and a text as the body.
 */
export const localFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const node = httpOfNode();
  // Workers, Deno and Bun look names up themselves.
  if (node === undefined) return fetch(input, init);
  const { host, port, pathname, search } = new URL(input);
  const { method = 'GET', body, signal } = init;
  const headers = { ...(init.headers as Record<string, string>), Host: host };
  const options = { hostname: '127.0.0.1', port, path: `${pathname}${search}`, method, headers, ...(signal && { signal }) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    node.request(options, resolve).on('error', reject).end(body);
  });
  const text = await textOf(response);
  const { statusCode: status = 0 } = response;
  return new Response(status === 204 || status === 304 ? null : text, { status, headers: headersOf(response) });
};
