import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';

import { freePort } from './free-port.ts';

export const CLIENT = { id: 'tenon', secret: 'the-secret-of-the-client-at-the-provider' };
/** Another server, at the same provider. */
export const OTHER_CLIENT = 'another-server';

export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

type Claims = Readonly<Record<string, unknown>>;

export interface OddAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A provider of the npm package on loopback, whose pages a test fills in. */
export interface TestProvider {
  readonly issuer: string;
  /** Who signs in there from now on; null for one who does not want to. */
  signsIn(account: Account | null): void;
  /** Changes what ID tokens say from now on. The provider signs it. */
  forges(change: (claims: Claims) => Claims): void;
  /** Answers everything like this from now on; null for what it answers by itself. */
  answers(odd: OddAnswer | null): void;
  /** Goes through its pages as a browser does. Returns the query with which it sends the person back. */
  visit(url: string): Promise<string>;
  /** Nobody listens from now on. */
  close(): Promise<void>;
}

const KID = 'test';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Whole pages of the provider, by its interactions: the person of the test is signed in at once. */
export const startProvider = async (redirectUrls: readonly string[], port?: number): Promise<TestProvider> => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let account: Account | null = null;
  let forge = (claims: Claims): Claims => claims;
  let odd: OddAnswer | null = null;
  const at = port ?? (await freePort());
  const issuer = `http://127.0.0.1:${String(at)}`;
  const client = {
    client_secret: CLIENT.secret,
    redirect_uris: redirectUrls,
    id_token_signed_response_alg: 'ES256',
  };
  const accounts = new Map<string, Account>();
  const provider = new Provider(issuer, {
    clients: [CLIENT.id, OTHER_CLIENT].map((id) => ({ ...client, client_id: id })),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: KID, use: 'sig', alg: 'ES256' }] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: Object.fromEntries(['AccessToken', 'Grant', 'IdToken', 'Interaction', 'Session'].map((kind) => [kind, 600])),
    // Nothing keeps the process alive, and nobody has to agree to what a test asks for.
    loadExistingGrant: async ({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => accounts.get(id) ?? { sub: id } }),
  });
  const serve = provider.callback();

  /** The ID token of the answer, changed and signed again. */
  const forged = (text: string): string => {
    const answer = JSON.parse(text) as { id_token?: string };
    if (answer.id_token === undefined) return text;
    const claims = JSON.parse(Buffer.from(answer.id_token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
    const content = `${part({ alg: 'ES256', kid: KID })}.${part(forge(claims))}`;
    const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return JSON.stringify({ ...answer, id_token: `${content}.${signature.toString('base64url')}` });
  };
  const forging = (response: ServerResponse): void => {
    const end = response.end.bind(response) as (text: string) => ServerResponse;
    response.end = ((chunk: unknown) => {
      const text = forged(String(chunk));
      response.setHeader('Content-Length', Buffer.byteLength(text));
      return end(text);
    }) as ServerResponse['end'];
  };
  const finish = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (account === null) return provider.interactionFinished(request, response, { error: 'access_denied' });
    accounts.set(account.sub, account);
    return provider.interactionFinished(request, response, { login: { accountId: account.sub } });
  };
  const server = createServer((request, response) => {
    if (odd !== null) {
      const { status, headers, body = '<p>out of order</p>' } = odd;
      response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(body);
    } else if (request.url?.startsWith('/interaction/')) void finish(request, response);
    else {
      if (request.url?.startsWith('/token')) forging(response);
      serve(request, response);
    }
  }).listen(at, '127.0.0.1');
  await once(server, 'listening');

  return {
    issuer,
    signsIn: (given) => {
      account = given;
    },
    forges: (change) => {
      forge = change;
    },
    answers: (given) => {
      odd = given;
    },
    visit: async (from) => {
      const cookies = new Map<string, string>();
      for (let url = from; ;) {
        const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
        const answer = await fetch(url, { redirect: 'manual', headers: { Cookie } });
        const text = await answer.text();
        for (const cookie of answer.headers.getSetCookie()) {
          const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
          cookies.set(name, value);
        }
        const location = answer.headers.get('location');
        if (location === null) throw new Error(`The provider answers ${String(answer.status)}: ${text.slice(0, 500)}`);
        const next = new URL(location, issuer);
        if (next.origin !== issuer) return next.search.slice(1);
        url = next.href;
      }
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
