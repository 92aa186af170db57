import type { Words } from './words.ts';

const NEW_TOKEN =
  'Exchange the client id and secret for a new token at POST /apps/token. Get one shortly before the old one ends.';
const ASK_INSTALL = 'The app needs the credentials of its installation on this store.';

/**
 * Words for notes of the log beside the code: why a request was not admitted, or that it was
 * answered again.
 */
export const NOTED_REASONS = {
  unknown_store: {
    name: 'Host is not a store',
    why: 'The host of the request cannot be the domain of a store.',
    help: 'Call the store by its domain. Behind a proxy, pass the Host header on, and name the proxy in TRUSTED_PROXIES.',
  },
  no_token: {
    name: 'No token',
    why: 'The request had no single Authorization header of the form “Bearer <token>”.',
    help: 'Send “Authorization: Bearer” and the access token, once. A proxy may have removed it.',
  },
  malformed: {
    name: 'Malformed token',
    why: 'The access token does not have the form of those that Tenon makes. It was cut off or mistyped, or is something else.',
    help: `Copy it again. An access token begins with tnn_at_. ${NEW_TOKEN}`,
  },
  malformed_form: {
    name: 'Not a token request',
    why: 'The body was not one form with grant_type=client_credentials, a client_id and a client_secret.',
    help: 'Send Content-Type application/x-www-form-urlencoded and each field once, or the credentials in one Basic header.',
  },
  malformed_client_id: {
    name: 'Malformed client id',
    why: 'The client id does not have the form of those that Tenon makes. It was cut off or mistyped, or is something else.',
    help: 'Copy it again from the page of the app or from tenon app get. A client id begins with tnn_cid_.',
  },
  malformed_client_secret: {
    name: 'Malformed client secret',
    why: 'The client secret does not have the form of those that Tenon makes. It was cut off or mistyped, or is something else.',
    help: 'Copy it again. A client secret begins with tnn_cs_. If it is lost, rotate it on the page of the app or with tenon app rotate-client-secret.',
  },
  unknown_token: {
    name: 'Unknown token',
    why: 'The token has the right form, but this server never made it, or it ended long ago. While many such requests arrive, it may also be for another store.',
    help: `Check that the app calls the right server. ${NEW_TOKEN}`,
  },
  wrong_store: {
    name: 'Token of another store',
    why: 'The token is valid, but for another store than the host of the request.',
    help: 'Use one token for each store, and call the domain that it was made for.',
  },
  store_inactive: {
    name: 'Store is inactive',
    why: 'The store is not active, so no app may call it.',
    help: 'Set the store to Active on the Stores page, or with tenon store update.',
  },
  uninstalled: {
    name: 'App is uninstalled',
    why: 'The app was uninstalled from the store.',
    help: `Uninstalling is final. Install the app again. ${ASK_INSTALL}`,
  },
  uninstalled_meanwhile: {
    name: 'App was uninstalled meanwhile',
    why: 'The app was uninstalled while its request ran. Nothing was written.',
    help: `Uninstalling is final. Install the app again. ${ASK_INSTALL}`,
  },
  suspended: {
    name: 'App is suspended',
    why: 'The merchant suspended the app. Its tokens work again when it is resumed.',
    help: 'Resume the app on its page, or with tenon app resume.',
  },
  revoked: { name: 'Token was revoked', why: 'All tokens of the app were revoked.', help: NEW_TOKEN },
  expired: { name: 'Token has expired', why: 'The token was valid for an hour, or as long as expiresIn said.', help: NEW_TOKEN },
  unknown_client: {
    name: 'Unknown client id',
    why: 'No app with this client id is installed on the store of the host. The id may be wrong, or of another store or server.',
    help: 'Check the client id and the domain. Each store has its own installation of an app.',
  },
  wrong_secret: {
    name: 'Wrong client secret',
    why: 'The client secret does not belong to the client id. It may be of another app, or was rotated and its overlap is over.',
    help: 'Use the secret that the last rotation showed. If it is lost, rotate it again on the page of the app, or with tenon app rotate-client-secret.',
  },
  failed_secrets: {
    name: 'Too many wrong secrets',
    why: 'The address sent this client id many times with a wrong client secret, or to a store where the app may not call.',
    help: 'Stop the sender that has the wrong secret. The right secret still works, also from this address.',
  },
  failed_tokens: {
    name: 'Too many bad tokens',
    why: 'The address sent many tokens that are not valid, so new ones are not looked up for a minute.',
    help: 'Stop the sender that has the bad token. Tokens that worked before still work from this address.',
  },
  sandbox_used_up: {
    name: 'Sandbox store is full',
    why: 'The sandbox store has as many events, deliveries, attempts and idempotency keys as it may have.',
    help: 'Reset it with PUT /apps/sandboxes/{name}, which also gives it a new id and new tokens. Reads still work.',
  },
  replay: {
    name: 'Earlier refusal again',
    why: 'The Idempotency-Key belongs to a request that was refused. The same response was sent again.',
    help: 'Correct the request, then send it with a new Idempotency-Key.',
  },
} as const satisfies Readonly<Record<string, Words>>;

/** Reasons for a refusal that the log knows beyond the code. A reason without its words does not compile. */
export type NotedReason = keyof typeof NOTED_REASONS | `needs ${string}`;
