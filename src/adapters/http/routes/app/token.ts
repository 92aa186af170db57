import { route } from '../../route.ts';
import type { Route } from '../../route.ts';
import { tokenForm, tokenResponse } from '../../schemas/token.ts';
import type { TokenRequest } from '../../serving/token-request.ts';

/**
 * Public, since the credentials are the authentication. The listener reads the request with `readTokenRequest` (token-request.ts tells
 * how) and calls the handler with `body`: TokenRequest and the `domain` the request is for.
 */
export const tokenRoute: Route = {
  ...route
    .post('/apps/token')
    .public()
    .tag('Token')
    .summary(
      'Trade the client credentials for an access token',
      'Any failure is 401 with an empty body: wrong id or secret, app suspended, or app not installed on the store of this domain; also ' +
        'a wrong content type, a repeated field or another grant. Every answer carries `Cache-Control: no-store`.',
    )
    .body(tokenForm)
    .returns(200, tokenResponse)
    .refuses('unauthenticated', 'rate_limited')
    .handle(() => Promise.reject(new Error('POST /apps/token is read by readTokenRequest'))),
  bodyType: 'application/x-www-form-urlencoded',
  handler: (app, { body }) => app.exchangeToken(body as TokenRequest & { readonly domain: string }),
};
