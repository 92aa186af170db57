import { json, send } from './http.ts';
import type { Answer, Call } from './http.ts';

/** Where Tenon is, and the merchant's key to it. */
export interface Tenon {
  /** http://host:port of the app API. */
  readonly url: string;
  readonly adminUrl: string;
  readonly adminToken: string;
}

/** Each call names the status that it must be answered with. */
export interface Merchant {
  post(status: number, path: string, body?: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
  patch(status: number, path: string, body: unknown): Promise<Answer>;
  /** One document a line: creates those that are new and changes the others. */
  importProducts(storeId: string, products: readonly object[]): Promise<Imported>;
}

export interface Imported {
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
}

/** The merchant's side: the admin API. */
export const merchantOf = ({ adminUrl, adminToken }: Tenon): Merchant => {
  const call = (status: number, method: Call['method'], path: string, body?: string, type = 'application/json') =>
    send(status, {
      method,
      url: `${adminUrl}${path}`,
      headers: { authorization: `Bearer ${adminToken}`, ...(body !== undefined && { 'content-type': type }) },
      body,
    });
  return {
    post: (status, path, body) => call(status, 'POST', path, body === undefined ? undefined : JSON.stringify(body)),
    get: (path) => call(200, 'GET', path),
    patch: (status, path, body) => call(status, 'PATCH', path, JSON.stringify(body)),
    importProducts: async (storeId, products) => {
      const lines = products.map((product) => JSON.stringify(product)).join('\n');
      const answer = await call(200, 'POST', `/admin/stores/${storeId}/products/import`, lines, 'application/x-ndjson');
      return json(answer) as Imported;
    },
  };
};

export interface App {
  /** Trades the client credentials for a token, which the other calls then carry. */
  token(status: number): Promise<Answer>;
  get(status: number, path: string): Promise<Answer>;
  post(status: number, path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The app's side: the store is found by the host of the request, here its domain. */
export const appOf = ({ url }: Tenon, host: string, { clientId, clientSecret }: Credentials): App => {
  let authorization = '';
  return {
    token: async (status) => {
      const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const answer = await send(status, {
        method: 'POST',
        url: `${url}/apps/token`,
        headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      });
      if (status === 200) authorization = `Bearer ${(json(answer) as { accessToken: string }).accessToken}`;
      return answer;
    },
    get: (status, path) => send(status, { method: 'GET', url: `${url}${path}`, headers: { host, authorization } }),
    post: (status, path, body, headers = {}) =>
      send(status, {
        method: 'POST',
        url: `${url}${path}`,
        headers: { host, authorization, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
};
