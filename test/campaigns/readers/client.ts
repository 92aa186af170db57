import { request, type Agent } from 'undici';

export const ADMIN_TOKEN = 'the-admin-token-of-the-readers';

/** A process that answers requests. */
export interface Node {
  readonly url: string;
  readonly adminUrl: string;
  readonly agent: Agent;
}

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

export interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly body: Buffer;
}

export const send = async ({ url, adminUrl, agent }: Node, ask: Ask): Promise<Answer> => {
  const { method = 'GET', path, headers, body } = ask;
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const answer = await request(`${path.startsWith('/admin/') ? adminUrl : url}${path}`, {
    dispatcher: agent,
    method,
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(text !== undefined && { body: text }),
  });
  const { etag } = answer.headers;
  return {
    status: answer.statusCode,
    etag: typeof etag === 'string' ? etag : null,
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
};

/** A request that must succeed. Resolves with what it was answered. */
export const must = async <T>(node: Node, ask: Ask): Promise<T> => {
  const { status, body } = await send(node, ask);
  if (status >= 300) throw new Error(`${ask.method ?? 'GET'} ${ask.path}: ${status} ${body.toString().slice(0, 500)}`);
  return (body.length === 0 ? null : JSON.parse(body.toString())) as T;
};

/** The merchant's request. */
export const asMerchant = (method: NonNullable<Ask['method']>, path: string, body?: object | string): Ask => ({
  method,
  path: `/admin${path}`,
  headers: {
    authorization: `Bearer ${ADMIN_TOKEN}`,
    ...(typeof body === 'string' && { 'content-type': 'application/x-ndjson' }),
  },
  ...(body !== undefined && { body }),
});
