import type { Bytes } from './webhooks/body.ts';
import type { Receiver } from './webhooks/receiver.ts';

/** The part of Fastify's request that is used. */
export interface FastifyRequestLike {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** The part of Fastify's reply that is used. */
export interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  type(contentType: string): FastifyReplyLike;
  send(payload?: string): unknown;
}

/** The part of Fastify's instance that is used. */
export interface FastifyLike {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(type: string, parser: (request: unknown, payload: AsyncIterable<Uint8Array>) => Promise<unknown>): unknown;
  post(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

/**
 * The receiver as a plugin of Fastify. No parser reads the bodies of this route; those of other routes are as they were.
 *
 * @example
 * await app.register(toFastify(hooks, '/webhooks'));
 */
export const toFastify =
  <Tx>(receiver: Receiver<Tx>, path: string) =>
  (app: FastifyLike, _options: unknown, done: () => void): void => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload) => Promise.resolve(payload));
    app.post(path, async (request, reply) => {
      const body = (request.body ?? []) as Bytes;
      const { status, reason } = await receiver.deliverStream(body, (name) => request.headers[name]?.toString());
      return reply.code(status).type('text/plain; charset=utf-8').send(reason);
    });
    done();
  };
