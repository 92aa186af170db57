import type { Answer, Receiver } from './webhooks/receiver.ts';

/** The part of a request that is used, of Express or `node:http`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly readableDidRead: boolean;
  /** Result of a body parser. */
  readonly body?: unknown;
}

/** The part of a response that is used, of Express or `node:http`. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
}

const answerTo = <Tx>(receiver: Receiver<Tx>, request: NodeRequest): Promise<Answer> | Answer => {
  const header = (name: string): string | undefined => request.headers[name]?.toString();
  // express.raw() leaves the bytes, and express.text() the text.
  if (request.body instanceof Uint8Array) return receiver.deliver(request.body, header);
  if (typeof request.body === 'string') return receiver.deliver(new TextEncoder().encode(request.body), header);
  return request.readableDidRead ? receiver.deliverParsed() : receiver.deliverStream(request, header);
};

/**
 * The receiver as a handler of Express 4 and 5, and of `node:http`. Place it before any
 * `express.json()`: the signature is over the bytes of the body, which a parser does not keep.
 *
 * @example
 * app.post('/webhooks', toExpress(hooks));
 */
export const toExpress =
  <Tx>(receiver: Receiver<Tx>) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const { status, reason } = await answerTo(receiver, request);
    response.statusCode = status;
    if (reason !== '') response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.end(reason);
  };
