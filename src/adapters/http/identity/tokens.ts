import { z } from 'zod';

import type { TokenResponse } from '../../../application/identity/exchange-token.ts';
import { CREDENTIAL_PATTERNS, parseCredential } from '../../../domain/identity/token.ts';
import { ok, refuse } from '../../../domain/result.ts';
import { ACCESS_TOKEN_EXAMPLE, CREDENTIAL_EXAMPLES } from '../kit/example-record.ts';
import { numericLimit } from '../kit/limits.ts';
import type { FormReader } from '../route-declaration.ts';
import { route } from '../route.ts';
import { judgeClient } from '../serving/admit/judge-client.ts';
import { readTokenRequest, type TokenRequest } from '../serving/admit/token-request.ts';

const pattern = (kind: keyof typeof CREDENTIAL_PATTERNS): string => CREDENTIAL_PATTERNS[kind].source;

const tokenForm = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: z
      .string()
      .optional()
      .meta({ pattern: pattern('clientId'), description: 'Omit it with HTTP Basic.' }),
    client_secret: z
      .string()
      .optional()
      .meta({ pattern: pattern('clientSecret'), description: 'Omit it with HTTP Basic.' }),
  })
  .meta({
    id: 'TokenRequest',
    description: 'Each field may appear once. Send the credentials here or with HTTP Basic (RFC 6749, section 2.3.1), not both.',
    examples: [
      {
        grant_type: 'client_credentials',
        client_id: CREDENTIAL_EXAMPLES.clientId,
        client_secret: CREDENTIAL_EXAMPLES.clientSecret,
      },
    ],
  });

export const tokenResponse = z
  .object({
    accessToken: z.string().meta({ pattern: pattern('accessToken') }),
    tokenType: z.literal('Bearer'),
    expiresIn: z
      .int()
      .meta({ description: 'Lifetime in seconds. There is no refresh token: request a new token before this one expires.' }),
    scope: z.string().meta({
      description: 'The scopes that can be used now, sorted and separated by spaces. A write_ scope includes its read_ scope.',
    }),
    scopeNotYetEnforced: z.string().meta({ description: 'Granted scopes that no endpoint uses yet. May be empty.' }),
    access_token: z.string().meta({ description: 'The same as `accessToken`, for OAuth 2.0 libraries.' }),
    token_type: z.literal('Bearer').meta({ description: 'The same as `tokenType`.' }),
    expires_in: z.int().meta({ description: 'The same as `expiresIn`.' }),
  })
  .meta({
    id: 'TokenResponse',
    examples: [
      {
        accessToken: ACCESS_TOKEN_EXAMPLE,
        tokenType: 'Bearer',
        expiresIn: numericLimit('accessTokenSeconds'),
        scope: 'read_products write_products',
        scopeNotYetEnforced: '',
        access_token: ACCESS_TOKEN_EXAMPLE,
        token_type: 'Bearer',
        expires_in: numericLimit('accessTokenSeconds'),
      },
    ],
  });

/**
 * A text that is not a client id is never counted: its sender chooses its content and its length.
 */
const readForm: FormReader<TokenRequest> = (headers, bytes) => {
  const read = readTokenRequest(headers, bytes);
  if (!read.ok) return { ...read, reason: 'malformed_form' };
  if (parseCredential('clientId', read.value.clientId)) return read;
  return { ...refuse('unauthenticated', ''), reason: 'malformed_client_id' };
};

/** The names of RFC 6749 beside those of the API, so that OAuth 2.0 libraries find the token. */
const withStandardNames = (token: TokenResponse) => ({
  ...token,
  access_token: token.accessToken,
  token_type: token.tokenType,
  expires_in: token.expiresIn,
});

export const tokenRoute = route
  .post('/apps/token', 'createToken')
  .client('Token')
  .summary(
    'Exchange the client credentials for an access token',
    'Every failure returns 401 with an empty body: wrong id or secret, suspended app, app not installed on the store of this domain, ' +
      'wrong content type, repeated field or unsupported grant type. If the form is at fault, `WWW-Authenticate` has the `error` of RFC 6749 ' +
      'and an `error_description` that says what to change. Every response has `Cache-Control: no-store`.',
  )
  .form(tokenForm, readForm)
  .returns(200, tokenResponse)
  .refuses('unauthenticated', 'rate_limited')
  .handle(async (app, { body, domain, context }) => {
    const exchanged = await judgeClient(context, body.clientId, (count) => app.exchangeToken({ ...body, domain }, count));
    return exchanged.ok ? ok(withStandardNames(exchanged.value)) : exchanged;
  });
