import { BASE, request } from './client.ts';
import type { CallingOperator } from './types.ts';

const PATH = `${BASE}/session`;

/** Answer of `GET session`, with the owner of the session: an operator, or in the portal an app. */
export interface Session {
  readonly ok: boolean;
  /**
   * Set in the merchant's console while nobody is signed in: passkeys may work on this address, and
   * the identity provider has a name.
   */
  readonly ways?: { readonly passkey: boolean; readonly provider: string | null };
  readonly operator?: CallingOperator;
  readonly store?: { readonly id: string; readonly name: string; readonly domain: string };
  /**
   * Set for the developer of a platform app, beside the store and the installation in the pages of
   * an installation.
   */
  readonly platformApp?: { readonly id: string; readonly name: string };
  readonly installation?: { readonly id: string; readonly name: string; readonly scopes: readonly string[] };
}

export const readSession = async (): Promise<Session> => (await request(PATH)).json() as Promise<Session>;

const post = (path: string, body: object): Promise<Response> =>
  request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** Opens a session with the admin token, a one-time code, the credentials of an app, or the answer of a passkey or a provider. */
export const signIn = async (proof: Readonly<Record<string, unknown>>): Promise<void> => {
  await post(PATH, proof);
};

/** Who a one-time code signs in. It is not used by that. */
export const lookAtCode = async (code: string): Promise<{ readonly name: string }> =>
  (await post(`${PATH}/code`, { code })).json() as Promise<{ readonly name: string }>;

/** The first step of signing in with a passkey or at the identity provider. */
export const beginSignIn = async <T>(way: 'passkey' | 'provider'): Promise<T> =>
  (await post(`${PATH}/${way}`, {})).json() as Promise<T>;

export const signOut = async (): Promise<void> => {
  await request(PATH, { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, body: '{}' });
};
