import type { Logger } from 'pino';

import type { IdentityProvider } from '../../../domain/ports/identity/identity-provider.ts';
import { createIdentityProvider } from '../../outgoing/provider/identity-provider.ts';
import type { Config } from '../settings/config.ts';

/** The identity provider of the settings; null where none is set. */
export const providerOf = (config: Config, log: Logger): IdentityProvider | null => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return createIdentityProvider({
    name: name ?? new URL(issuer).host,
    issuer,
    clientId,
    clientSecret,
    onFailure: (reason) => {
      log.warn({ issuer, reason }, 'A sign-in at the identity provider failed.');
    },
  });
};
