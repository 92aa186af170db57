import { afterAll, describe, expect, it } from 'vitest';

import type { ProviderAccount } from '../../src/domain/identity/sign-in-method.ts';
import type { IdentityProvider, ProviderSignIn } from '../../src/domain/ports/identity/identity-provider.ts';
import { beforeAll } from './hooks.ts';

/** A provider, and the person who uses its pages. */
export interface ProviderWorld {
  readonly provider: IdentityProvider;
  readonly issuer: string;
  readonly redirectUrl: string;
  /** Who signs in from now on; null for one who does not want to. */
  signsIn(account: ProviderAccount | null): void;
  /** Goes through the pages of the provider. Returns the query of the redirect. */
  visit(url: string): Promise<string>;
  /** Issues tokens for another client from now on. */
  forOthers(): void;
  goAway(): Promise<void>;
  close(): Promise<void>;
}

export const identityProviderContract = (name: string, open: () => Promise<ProviderWorld>): void => {
  describe(`IdentityProvider on ${name}`, () => {
    let world: ProviderWorld;
    let ada: ProviderAccount;
    let made = 0;
    beforeAll(async () => {
      world = await open();
      ada = { issuer: world.issuer, subject: 'ada', email: 'ada@example.com', isEmailVerified: true };
    });
    afterAll(() => world.close());

    const text = (what: string): string => `${what}${String(made)}`.padEnd(43, 'x');
    const aSignIn = (): ProviderSignIn => {
      made += 1;
      return { redirectUrl: world.redirectUrl, state: text('state'), nonce: text('nonce'), verifier: text('verifier') };
    };
    const urlOf = async (signIn: ProviderSignIn): Promise<string> => {
      const url = await world.provider.signInUrl(signIn);
      if (url === null) throw new Error('the provider does not answer');
      return url;
    };
    const visited = async (signIn: ProviderSignIn): Promise<string> => world.visit(await urlOf(signIn));

    describe('name', () => {
      it('Is what people know it by.', () => {
        expect(world.provider.name).toMatch(/\w/);
      });
    });

    describe('signInUrl', () => {
      it('Returns the address where the person signs in.', async () => {
        expect((await urlOf(aSignIn())).startsWith(`${world.issuer}/auth`)).toBe(true);
      });
      it('It has the state, the nonce and the hash of the verifier.', async () => {
        const signIn = aSignIn();
        const { searchParams } = new URL(await urlOf(signIn));
        expect([searchParams.get('state'), searchParams.get('nonce')]).toEqual([signIn.state, signIn.nonce]);
        expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      });
      it('Returns null when the provider does not answer.', async () => {
        const away = await open();
        await away.goAway();
        expect(await away.provider.signInUrl(aSignIn())).toBeNull();
        await away.close();
      });
    });

    describe('accountOf', () => {
      it('Returns the account that signed in, by the query that the provider sent the person back with.', async () => {
        const signIn = aSignIn();
        world.signsIn(ada);
        expect(await world.provider.accountOf(await visited(signIn), signIn)).toEqual(ada);
        const unverified = { ...ada, subject: 'eve', isEmailVerified: false };
        const [second, third] = [aSignIn(), aSignIn()];
        world.signsIn(unverified);
        expect(await world.provider.accountOf(await visited(second), second)).toEqual(unverified);
        const nameless = { ...unverified, subject: 'nobody', email: null };
        world.signsIn(nameless);
        expect(await world.provider.accountOf(await visited(third), third)).toEqual(nameless);
      });
      it('Returns `declined` when the person did not sign in.', async () => {
        const signIn = aSignIn();
        world.signsIn(null);
        expect(await world.provider.accountOf(await visited(signIn), signIn)).toBe('declined');
      });
      it('Returns `invalid` when the state is of another sign-in.', async () => {
        const [signIn, other] = [aSignIn(), aSignIn()];
        world.signsIn(ada);
        expect(await world.provider.accountOf(await visited(other), { ...other, state: signIn.state })).toBe('invalid');
        expect(await world.provider.accountOf('', signIn)).toBe('invalid');
      });
      it('Returns `invalid` when the code was used before.', async () => {
        const signIn = aSignIn();
        world.signsIn(ada);
        const query = await visited(signIn);
        expect(await world.provider.accountOf(query, signIn)).toEqual(ada);
        expect(await world.provider.accountOf(query, signIn)).toBe('invalid');
      });
      it('Returns `invalid` when the nonce is of another sign-in.', async () => {
        const signIn = aSignIn();
        world.signsIn(ada);
        const query = await visited({ ...signIn, nonce: aSignIn().nonce });
        expect(await world.provider.accountOf(query, signIn)).toBe('invalid');
      });
      it('Returns `invalid` when the token is for another client.', async () => {
        const signIn = aSignIn();
        world.signsIn(ada);
        world.forOthers();
        expect(await world.provider.accountOf(await visited(signIn), signIn)).toBe('invalid');
      });
      it('Returns `unavailable` when the provider does not answer.', async () => {
        const signIn = aSignIn();
        const query = await visited(signIn);
        await world.goAway();
        expect(await world.provider.accountOf(query, signIn)).toBe('unavailable');
      });
    });
  });
};
