import type { TokenResponse } from '../../../application/identity/exchange-token.ts';
import { parseCredential } from '../../../domain/identity/token.ts';
import { ok, refuse } from '../../../domain/result.ts';
import { judgeClient } from '../serving/admit/judge-client.ts';
import { readTokenRequest, type TokenRequest } from '../serving/admit/token-request.ts';
import { route } from '../route.ts';
import type { FormReader } from '../route-declaration.ts';
import { tokenForm, tokenResponse } from './token.ts';

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
      'wrong content type, repeated field or unsupported grant type. Every response has `Cache-Control: no-store`.',
  )
  .form(tokenForm, readForm)
  .returns(200, tokenResponse)
  .refuses('unauthenticated', 'rate_limited')
  .handle(async (app, { body, domain, context }) => {
    const exchanged = await judgeClient(context, body.clientId, (count) => app.exchangeToken({ ...body, domain }, count));
    return exchanged.ok ? ok(withStandardNames(exchanged.value)) : exchanged;
  });
