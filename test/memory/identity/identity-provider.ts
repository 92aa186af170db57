import type { ProviderAccount } from '../../../src/domain/identity/sign-in-method.ts';
import type { IdentityProvider } from '../../../src/domain/ports/identity/identity-provider.ts';

/** A code that the provider has issued. */
interface Given {
  readonly nonce: string;
  readonly account: ProviderAccount;
  readonly client: string;
}

/** A provider without I/O, and the pages of it that a person sees. */
export const createIdentityProvider = (issuer: string) => {
  const codes = new Map<string, Given>();
  let made = 0;
  let account: ProviderAccount | null = null;
  let client = 'own';
  let isAway = false;
  const provider: IdentityProvider = {
    name: 'Memory',
    signInUrl: async ({ state, nonce, verifier }) =>
      isAway ? null : `${issuer}/auth?${new URLSearchParams({ state, nonce, code_challenge: verifier }).toString()}`,
    accountOf: async (query, { state, nonce }) => {
      if (isAway) return 'unavailable';
      const sent = new URLSearchParams(query);
      if (sent.get('state') !== state) return 'invalid';
      if (sent.has('error')) return 'declined';
      const code = sent.get('code') ?? '';
      const given = codes.get(code);
      codes.delete(code);
      return given?.nonce === nonce && given.client === 'own' ? given.account : 'invalid';
    },
  };
  return {
    provider,
    signsIn: (given: ProviderAccount | null) => {
      account = given;
    },
    /** Tokens are for another client from now on. */
    forOthers: () => {
      client = 'other';
    },
    goAway: () => {
      isAway = true;
    },
    visit: (url: string): string => {
      const { searchParams: asked } = new URL(url);
      const state = asked.get('state') ?? '';
      if (account === null) return new URLSearchParams({ state, error: 'access_denied' }).toString();
      made += 1;
      const code = String(made);
      codes.set(code, { nonce: asked.get('nonce') ?? '', account, client });
      return new URLSearchParams({ state, code }).toString();
    },
  };
};
