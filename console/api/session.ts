import { BASE, request } from './client.ts';

const PATH = `${BASE}/session`;

/** What `GET session` answers. The portal also learns whose session it is. */
export interface Session {
  readonly ok: boolean;
  readonly store?: { readonly id: string; readonly name: string; readonly domain: string };
  readonly installation?: { readonly id: string; readonly name: string; readonly scopes: readonly string[] };
}

export const readSession = async (): Promise<Session> => (await request(PATH)).json() as Promise<Session>;

/** Opens a session with the admin token, a one-time code or the credentials of an app. */
export const signIn = async (proof: Readonly<Record<string, string>>): Promise<void> => {
  await request(PATH, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(proof) });
};

export const signOut = async (): Promise<void> => {
  await request(PATH, { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, body: '{}' });
};
