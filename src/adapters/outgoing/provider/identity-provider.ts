import type { CustomFetch, Configuration, IDToken, TokenEndpointResponse } from 'openid-client';

import type { ProviderAccount } from '../../../domain/identity/sign-in-method.ts';
import type { IdentityProvider, ProviderRefusal, ProviderSignIn } from '../../../domain/ports/identity/identity-provider.ts';
import { codeOf } from '../../../domain/values/error.ts';

/** Metadata, keys and tokens have some kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Breaks off an answer that is longer, as it is once uncompressed. */
const limited = (): TransformStream<Uint8Array, Uint8Array> => {
  let read = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      read += chunk.length;
      if (read > MAX_ANSWER_BYTES) throw new Error(`The answer is longer than ${String(MAX_ANSWER_BYTES)} bytes.`);
      controller.enqueue(chunk);
    },
  });
};

/** `fetch`, with a limit on what is read. */
const limitedFetch: CustomFetch = async (url, { body, ...options }) => {
  const response = await fetch(url, { ...options, ...(body != null && { body }) });
  return new Response(response.body?.pipeThrough(limited()), response);
};

interface ProviderOptions {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutSeconds?: number;
  /** Hears why a sign-in failed, without tokens and codes. */
  readonly onFailure: (reason: string) => void;
}

const TIMEOUT_SECONDS = 10;

/** Loaded at the first sign-in: most servers have no provider. */
const load = () => import('openid-client');

type Client = Awaited<ReturnType<typeof load>>;

/** Codes of openid-client for an answer that is not OpenID Connect: of a proxy, or of a server that is failing. */
const NO_ANSWER: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** A client id or secret that the provider does not take. The person can do nothing about it. */
const WRONG_CLIENT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

const refusalOf = (client: Client, error: unknown): ProviderRefusal => {
  const { ResponseBodyError, AuthorizationResponseError, ClientError, WWWAuthenticateChallengeError } = client;
  if (error instanceof AuthorizationResponseError) {
    return ['server_error', 'temporarily_unavailable'].includes(error.error) ? 'unavailable' : 'declined';
  }
  if (error instanceof ResponseBodyError) {
    return error.status >= 500 || WRONG_CLIENT.has(error.error) ? 'unavailable' : 'invalid';
  }
  // The provider does not take the credentials of this server, or fetch reaches nobody.
  if (error instanceof WWWAuthenticateChallengeError || error instanceof TypeError) return 'unavailable';
  const code = String(codeOf(error));
  // Errors that openid-client does not wrap are of oauth4webapi, with such a code as well.
  if (error instanceof ClientError || code.startsWith('OAUTH_')) return NO_ANSWER.has(code) ? 'unavailable' : 'invalid';
  throw error;
};

/** Cause for the log: the library's messages have no credentials, but its causes have. */
const providerMessage = (error: unknown): string => {
  const { message, error: code } = error as { readonly message?: string; readonly error?: string };
  return [message, code].filter((text) => text !== undefined).join(': ');
};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const accountIn = (token: IDToken, more: Readonly<Record<string, unknown>>): ProviderAccount => {
  const claims = token['email'] === undefined ? more : token;
  // Some providers send the claim as text.
  const isEmailVerified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  return { issuer: token.iss, subject: token.sub, email: textOf(claims['email']), isEmailVerified };
};

/** The metadata is read at the first sign-in, and again after a failure. So a provider that is away delays no start. */
export const createIdentityProvider = (options: ProviderOptions): IdentityProvider => {
  const { name, issuer, clientId, clientSecret, timeoutSeconds = TIMEOUT_SECONDS, onFailure } = options;
  let known: Promise<Configuration> | null = null;

  const discover = async (client: Client): Promise<Configuration> => {
    const url = new URL(issuer);
    const isPlain = url.protocol === 'http:';
    const execute: ((config: Configuration) => void)[] = [client.enableNonRepudiationChecks];
    // oxlint-disable-next-line typescript/no-deprecated -- marked to stand out; for an issuer on this machine alone (sign-in-settings.ts)
    if (isPlain) execute.push(client.allowInsecureRequests);
    const reading = { timeout: timeoutSeconds, [client.customFetch]: limitedFetch };
    const found = await client.discovery(url, clientId, clientSecret, undefined, { execute, ...reading });
    const methods = found.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    if (!methods.includes('client_secret_basic')) return found;
    const basic = new client.Configuration(
      found.serverMetadata(),
      clientId,
      clientSecret,
      client.ClientSecretBasic(clientSecret),
    );
    Object.assign(basic, reading);
    for (const change of execute) change(basic);
    return basic;
  };

  const configured = (client: Client): Promise<Configuration> => {
    known ??= discover(client).catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };

  /** The email address, which many providers send with the profile alone. */
  const moreOf = async (
    client: Client,
    config: Configuration,
    tokens: TokenEndpointResponse,
    token: IDToken,
  ): Promise<Readonly<Record<string, unknown>>> =>
    token['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : client.fetchUserInfo(config, tokens.access_token, token.sub);

  const redeem = async (client: Client, query: string, signIn: ProviderSignIn): Promise<ProviderAccount | ProviderRefusal> => {
    const { redirectUrl, state, nonce, verifier } = signIn;
    const config = await configured(client);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUrl}?${query}`), checks);
    const token = tokens.claims();
    return token === undefined ? 'invalid' : accountIn(token, await moreOf(client, config, tokens, token));
  };

  return {
    name,
    signInUrl: async ({ redirectUrl, state, nonce, verifier }) => {
      const client = await load();
      try {
        const config = await configured(client);
        const parameters = {
          redirect_uri: redirectUrl,
          scope: 'openid email',
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        };
        return client.buildAuthorizationUrl(config, parameters).href;
      } catch (error) {
        onFailure(providerMessage(error));
        // Nothing of the person is judged yet: what the client knows as a fault is one of the provider. Others are thrown.
        refusalOf(client, error);
        return null;
      }
    },
    accountOf: async (query, signIn) => {
      const client = await load();
      try {
        return await redeem(client, query, signIn);
      } catch (error) {
        onFailure(providerMessage(error));
        return refusalOf(client, error);
      }
    },
  };
};
