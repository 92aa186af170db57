import { z } from 'zod';

import { isLoopback } from '../../../domain/values/loopback.ts';
import { parseUrl } from '../../../domain/values/url.ts';
import { origin, secretSetting, setting } from './setting-kinds.ts';

/** Tokens and codes go there, so plain http is for this machine alone. */
const isIssuer = (text: string): boolean => {
  const parsed = parseUrl(text);
  if (parsed?.search !== '' || parsed.hash !== '') return false;
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname));
};

export const signInSettings = {
  CONSOLE_URL: setting(
    origin.optional(),
    undefined,
    'Where people open the console, such as `https://admin.example.com`. Passkeys and OpenID Connect are bound to it. Default: the address of each request.',
  ),
  OIDC_ISSUER: setting(
    z.string().refine(isIssuer, 'must be a URL that begins with https://, or with http:// on this machine').optional(),
    undefined,
    'Identity provider with which operators sign in: its issuer, as in its OpenID Connect metadata.',
  ),
  OIDC_CLIENT_ID: setting(z.string().min(1).optional(), undefined, 'Client id of this server at the identity provider.'),
  OIDC_CLIENT_SECRET: secretSetting(z.string().min(1).optional(), 'Client secret of this server at the identity provider.'),
  OIDC_NAME: setting(
    z.string().max(40, 'must have at most 40 characters').optional(),
    undefined,
    'Name of the identity provider on the button of the sign-in page. Default: the host of OIDC_ISSUER.',
  ),
} as const;
