import { parse as parseContentType } from 'content-type';

/**
 * Reads POST /apps/token. The listener calls, for this one route:
 *   1. `readTokenRequest(req.headersDistinct, rawBody)`; null: answer 401;
 *   2. the route's handler with `body: { ...credentials, domain }` (or `app.exchangeToken` itself), `domain` as the gate finds it;
 *      a refusal: answer 401 and log its `reason`.
 * Every 401 has an empty body, and every answer carries `Cache-Control: no-store` (app-api.md, Errors; decisions.md, Token route).
 */
export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Every value of each header, as `IncomingMessage.headersDistinct` has them. */
export type DistinctHeaders = Readonly<Record<string, readonly string[] | undefined>>;

const FORM = 'application/x-www-form-urlencoded';

/** A form in UTF-8: no other charset, and no parameter of another name. */
const isForm = (header: string): boolean => {
  const { type, parameters } = parseContentType(header);
  return (
    type === FORM && Object.entries(parameters).every(([name, value]) => name === 'charset' && value.toLowerCase() === 'utf-8')
  );
};

const utf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** One application/x-www-form-urlencoded value; null where a % starts no escape or the bytes are no UTF-8. */
const formDecoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/** The fields; null for what is no form, or where a name stands twice. A field without a value counts as left out (RFC 6749 3.2). */
const formFields = (text: string): Map<string, string> | null => {
  const fields = new Map<string, string>();
  for (const pair of text.split('&').filter(Boolean)) {
    const [rawName = '', ...rest] = pair.split('=');
    const name = formDecoded(rawName);
    const value = formDecoded(rest.join('='));
    if (name === null || value === null || fields.has(name)) return null;
    fields.set(name, value);
  }
  return fields;
};

/** HTTP Basic, both halves form-encoded before they were joined (RFC 6749 2.3.1). */
const basicCredentials = (header: string): TokenRequest | null => {
  const [, base64] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header) ?? [];
  const text = base64 === undefined ? null : utf8(Buffer.from(base64, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  if (text === null || colon < 0) return null;
  const clientId = formDecoded(text.slice(0, colon));
  const clientSecret = formDecoded(text.slice(colon + 1));
  return clientId && clientSecret ? { clientId, clientSecret } : null;
};

const single = (headers: DistinctHeaders, name: string): string | null => {
  const values = headers[name] ?? [];
  return values.length === 1 ? (values[0] ?? null) : null;
};

/** The fields of a client_credentials form; null for anything else. */
const grantFields = (headers: DistinctHeaders, rawBody: Buffer): Map<string, string> | null => {
  const type = single(headers, 'content-type');
  const text = utf8(rawBody);
  if (type === null || !isForm(type) || headers['content-encoding'] || text === null) return null;
  const fields = formFields(text);
  return fields?.get('grant_type') === 'client_credentials' ? fields : null;
};

/** The credentials of a well-formed client_credentials request; null for anything else, which is a 401. */
export const readTokenRequest = (headers: DistinctHeaders, rawBody: Buffer): TokenRequest | null => {
  const fields = grantFields(headers, rawBody);
  if (fields === null) return null;
  const clientId = fields.get('client_id') ?? '';
  const clientSecret = fields.get('client_secret') ?? '';
  const authorization = headers['authorization'] ?? [];
  if (authorization.length === 0) return clientId && clientSecret ? { clientId, clientSecret } : null;
  // One way of authenticating, not both (RFC 6749 2.3).
  if (authorization.length > 1 || clientId || clientSecret) return null;
  return basicCredentials(authorization[0] ?? '');
};
