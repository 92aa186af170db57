import { parse as parseContentType } from 'content-type';

import { ok, refuse, type Result } from '../../../../domain/result.ts';

export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
}

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

/**
 * Decodes an application/x-www-form-urlencoded value; null where an escape is not valid or the
 * bytes are not UTF-8.
 */
const formDecoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/** A fault of the form, for the challenge of the 401. The texts name no value, so they tell nothing about a secret. */
const malformed = (description: string) => refuse('unauthenticated', description);

const NOT_A_FORM = malformed(`Content-Type must be ${FORM}, in UTF-8.`);
const COMPRESSED = malformed('The form must not be compressed.');
const UNREADABLE = malformed('The form is not valid UTF-8 with percent-encoding.');
const REPEATED = malformed('A field of the form appears more than once.');
const OTHER_GRANT = malformed('grant_type must be client_credentials.');
const TWO_WAYS = malformed('Send the credentials in the form or by HTTP Basic, not both.');
const NO_CREDENTIALS = malformed('client_id and client_secret are required, in the form or by HTTP Basic.');
const BAD_BASIC = malformed('The Authorization header is not HTTP Basic with form-encoded client_id and client_secret.');

/** The fields. A field without a value counts as left out (RFC 6749, 3.2). */
const formFields = (text: string): Result<Map<string, string>, 'unauthenticated'> => {
  const fields = new Map<string, string>();
  for (const pair of text.split('&').filter(Boolean)) {
    const [rawName = '', ...rest] = pair.split('=');
    const name = formDecoded(rawName);
    const value = formDecoded(rest.join('='));
    if (name === null || value === null) return UNREADABLE;
    if (fields.has(name)) return REPEATED;
    fields.set(name, value);
  }
  return ok(fields);
};

const single = (headers: DistinctHeaders, name: string): string | null => {
  const values = headers[name] ?? [];
  return values.length === 1 ? (values[0] ?? null) : null;
};

/** The fields of a client_credentials form. */
const grantFields = (headers: DistinctHeaders, rawBody: Buffer): Result<Map<string, string>, 'unauthenticated'> => {
  const type = single(headers, 'content-type');
  if (type === null || !isForm(type)) return NOT_A_FORM;
  if (headers['content-encoding']) return COMPRESSED;
  const text = utf8(rawBody);
  if (text === null) return UNREADABLE;
  const fields = formFields(text);
  return !fields.ok || fields.value.get('grant_type') === 'client_credentials' ? fields : OTHER_GRANT;
};

const credentialsOf = (clientId: string, clientSecret: string): Result<TokenRequest, 'unauthenticated'> =>
  clientId && clientSecret ? ok({ clientId, clientSecret }) : NO_CREDENTIALS;

/** HTTP Basic, whose two halves were form-encoded before they were joined (RFC 6749, 2.3.1). */
export const basicCredentials = (header: string): Result<TokenRequest, 'unauthenticated'> => {
  const [, base64] = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header) ?? [];
  const text = base64 === undefined ? null : utf8(Buffer.from(base64, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  if (text === null || colon < 0) return BAD_BASIC;
  return credentialsOf(formDecoded(text.slice(0, colon)) ?? '', formDecoded(text.slice(colon + 1)) ?? '');
};

/** No client authenticates by a token here. Typed clients set one on every request. */
const isBearer = (header = ''): boolean => /^Bearer(?: |$)/i.test(header);

/**
 * The credentials of a well-formed client_credentials request (RFC 6749, 4.4.2). Anything else is a
 * 401, whose message says what is wrong with the form.
 */
export const readTokenRequest = (headers: DistinctHeaders, rawBody: Buffer): Result<TokenRequest, 'unauthenticated'> => {
  const fields = grantFields(headers, rawBody);
  if (!fields.ok) return fields;
  const clientId = fields.value.get('client_id') ?? '';
  const clientSecret = fields.value.get('client_secret') ?? '';
  const sent = headers['authorization'] ?? [];
  const authorization = sent.length === 1 && isBearer(sent[0]) ? [] : sent;
  if (authorization.length === 0) return credentialsOf(clientId, clientSecret);
  // A client authenticates in one way, not both (RFC 6749, 2.3).
  if (authorization.length > 1) return BAD_BASIC;
  if (clientId || clientSecret) return TWO_WAYS;
  return basicCredentials(authorization[0] ?? '');
};
