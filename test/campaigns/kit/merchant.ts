export const ADMIN_TOKEN = 'the-admin-token-of-the-campaigns';

/** A request as its client makes it, the same bytes each time. */
export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The merchant's request. A text is NDJSON. */
export const asMerchant = (method: NonNullable<Ask['method']>, path: string, body?: object | string): Ask => ({
  method,
  path: `/admin${path}`,
  headers: {
    authorization: `Bearer ${ADMIN_TOKEN}`,
    ...(body !== undefined && { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' }),
  },
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
});

/** A request for a token, with the credentials of an app. */
export const asClient = (domain: string, credentials: { readonly clientId: string; readonly clientSecret: string }): Ask => ({
  method: 'POST',
  path: '/apps/token',
  headers: { host: domain, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  }).toString(),
});
