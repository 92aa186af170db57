import request from 'supertest';

import type { Role } from '../../src/domain/identity/operator.ts';
import type { OpenApp, Verb } from './app.ts';

type Headers = Readonly<Record<string, string>>;

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };

/** The cookie of the answer that begins with the name, as a request sends it back; empty for none. */
const cookieOf = (answer: request.Response, name: string): string => {
  const cookies = (answer.headers['set-cookie'] ?? []) as unknown as string[];
  return (
    cookies.map((cookie) => cookie.split(';')[0] ?? '').findLast((cookie) => cookie.startsWith(name) && !cookie.endsWith('=')) ??
    ''
  );
};

/** The ways of a browser into the console of this server. */
export const consoleOf = (app: OpenApp, host: Headers = {}) => {
  const agent = request(app.adminUrl);
  const call = (verb: Verb, path: string, headers: Headers = {}) => agent[verb](path).set({ ...OWN_PAGE, ...host, ...headers });
  const signIn = (proof: object, headers: Headers = {}) => call('post', '/console/session', headers).send(proof);
  return {
    call,
    signIn,
    /** Begins a sign-in, and returns the answer and the cookie of the attempt. */
    begin: async (way: 'passkey' | 'provider') => {
      const answer = await call('post', `/console/session/${way}`);
      return { status: answer.status, body: answer.body as never, cookie: { Cookie: cookieOf(answer, 'tenon_sign_in') } };
    },
    sessionOf: (answer: request.Response): { readonly Cookie: string } => ({ Cookie: cookieOf(answer, 'tenon_console') }),
    /** An operator, and the cookie of a session that a link started. */
    anOperator: async (given: { readonly name: string; readonly email?: string; readonly role?: Role }) => {
      const made = await app.admin('post', '/admin/operators').send(given).expect(201);
      const { id } = made.body as { id: string };
      const link = await app.admin('post', `/admin/operators/${id}/links`).expect(201);
      const signedIn = await signIn({ code: (link.body as { code: string }).code }).expect(200);
      return { id, name: given.name, cookie: { Cookie: cookieOf(signedIn, 'tenon_console') } };
    },
    /** Who is signed in with this cookie; null for nobody. */
    whois: async (cookie: Headers): Promise<string | null> => {
      const answer = await call('get', '/console/api/operator', cookie);
      return answer.status === 200 ? (answer.body as { name: string }).name : null;
    },
  };
};

/** Who asked for the changes that are called so, by the audit log, newest first. */
export const auditedAs = async (app: OpenApp, what: string): Promise<readonly string[]> => {
  const { body } = await app.admin('get', '/admin/audit?take=100').expect(200);
  const { items } = body as { items: readonly { what: string; operator: string }[] };
  return items.filter((item) => item.what === what).map(({ operator }) => operator);
};
