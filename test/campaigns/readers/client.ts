import { request, type Agent } from 'undici';

import type { Ask } from '../kit/merchant.ts';

/** A process that answers requests. */
export interface Node {
  readonly url: string;
  readonly adminUrl: string;
  readonly agent: Agent;
}

/** A request. An object is sent as JSON. */
interface Request extends Omit<Ask, 'body'> {
  readonly body?: object | string;
}

export interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly body: Buffer;
}

export const send = async ({ url, adminUrl, agent }: Node, ask: Request): Promise<Answer> => {
  const { method = 'GET', path, headers, body } = ask;
  const answer = await request(`${path.startsWith('/admin/') ? adminUrl : url}${path}`, {
    dispatcher: agent,
    method,
    headers: { ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'object' ? JSON.stringify(body) : body }),
  });
  const { etag } = answer.headers;
  return {
    status: answer.statusCode,
    etag: typeof etag === 'string' ? etag : null,
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
};

/** A request that must succeed. Resolves with what it was answered. */
export const must = async <T>(node: Node, ask: Request): Promise<T> => {
  const { status, body } = await send(node, ask);
  if (status >= 300) throw new Error(`${ask.method ?? 'GET'} ${ask.path}: ${status} ${body.toString().slice(0, 500)}`);
  return (body.length === 0 ? null : JSON.parse(body.toString())) as T;
};
