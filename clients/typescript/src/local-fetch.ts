import type { IncomingMessage } from 'node:http';

/**
 * `fetch` for a store on your own machine, such as `http://first.localhost:4000`. Names below
 * `localhost` are loopback addresses (RFC 6761), but Node.js looks them up in the DNS. It does what
 * the transport needs: a text as the body.
 */
export const localFetch: typeof globalThis.fetch = async (input, init = {}) => {
  // Without an import, which a bundler for another platform could not resolve.
  const node = (globalThis as Partial<Pick<typeof globalThis, 'process'>>).process?.getBuiltinModule('node:http');
  // Workers, Deno and Bun look names up themselves.
  if (!node) return fetch(input, init);
  const url = new URL(input);
  const { method, body, signal } = init;
  const headers = { ...Object.fromEntries(new Headers(init.headers)), Host: url.host };
  const options = { hostname: '127.0.0.1', method, headers, signal: signal ?? undefined };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    node.request(url, options, resolve).on('error', reject).end(body);
  });
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += String(part);
  // A response without a body, such as 304, may not even have an empty one.
  return new Response(text || null, {
    status: response.statusCode ?? 0,
    headers: response.headers as Record<string, string>,
  });
};
