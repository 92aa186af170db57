import { json, send, type Answer, type Call } from './http.ts';

/** Where Tenon is, and the merchant's key to it. */
export interface Host {
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
  /** Imports a document per line: creates new ones and changes the others. */
  importProducts(storeId: string, products: readonly object[]): Promise<Imported>;
  /** A Shopify export. */
  importCsv(storeId: string, csv: string): Promise<Imported>;
}

export interface Imported {
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
}

/** Credentials that the merchant gets once, when an app is installed, and gives to its developer. */
export interface Installed {
  readonly installation: { readonly id: string };
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

/** The merchant's side: the admin API. */
export const merchantOf = ({ adminUrl, adminToken }: Host): Merchant => {
  const call = (status: number, method: Call['method'], path: string, body?: string, type = 'application/json') =>
    send(status, {
      method,
      url: `${adminUrl}${path}`,
      headers: { authorization: `Bearer ${adminToken}`, ...(body !== undefined && { 'content-type': type }) },
      body,
    });
  const importAs = async (type: string, storeId: string, body: string): Promise<Imported> =>
    json(await call(200, 'POST', `/admin/stores/${storeId}/products/import`, body, type)) as Imported;
  return {
    post: (status, path, body) => call(status, 'POST', path, body === undefined ? undefined : JSON.stringify(body)),
    get: (path) => call(200, 'GET', path),
    patch: (status, path, body) => call(status, 'PATCH', path, JSON.stringify(body)),
    importProducts: (storeId, products) =>
      importAs('application/x-ndjson', storeId, products.map((product) => JSON.stringify(product)).join('\n')),
    importCsv: (storeId, csv) => importAs('text/csv', storeId, csv),
  };
};

/** The address of a store on this host: its domain, and the port of the app API. */
export const storeAddress = ({ url }: Host, domain: string): string => `http://${domain}:${new URL(url).port}`;
