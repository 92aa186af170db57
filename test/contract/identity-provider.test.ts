import { createIdentityProvider } from '../../src/adapters/outgoing/provider/identity-provider.ts';
import { createIdentityProvider as createMemoryProvider } from '../memory/identity/identity-provider.ts';
import { CLIENT, startProvider } from '../support/oidc.ts';
import { identityProviderContract } from './identity-provider.contract.ts';

const REDIRECT = 'https://console.shop.example/console/sign-in';

identityProviderContract('memory', async () => {
  const issuer = 'https://provider.test';
  const { provider, signsIn, forOthers, goAway, visit } = createMemoryProvider(issuer);
  return {
    provider,
    issuer,
    redirectUrl: REDIRECT,
    signsIn,
    visit: async (url) => visit(url),
    forOthers,
    goAway: async () => goAway(),
    close: async () => undefined,
  };
});

identityProviderContract('outgoing, with the oidc-provider of npm', async () => {
  const provider = await startProvider([REDIRECT]);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await provider.close();
    isOpen = false;
  };
  const { issuer } = provider;
  return {
    provider: createIdentityProvider({
      name: 'Example',
      issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      onFailure: () => undefined,
    }),
    issuer,
    redirectUrl: REDIRECT,
    signsIn: (account) =>
      provider.signsIn(
        account && {
          sub: account.subject,
          ...(account.email !== null && { email: account.email, email_verified: account.isEmailVerified }),
        },
      ),
    visit: provider.visit,
    forOthers: () => provider.forges((claims) => ({ ...claims, aud: 'another-server' })),
    goAway: close,
    close,
  };
});
