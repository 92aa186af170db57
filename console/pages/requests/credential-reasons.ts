import type { Words } from './words.ts';

const NEW_TOKEN =
  'Exchange the client id and secret for a new token at POST /apps/token. Get one shortly before the old one ends.';
const ASK_INSTALL = 'The app needs the credentials of its installation on this store.';

/** Why a request was not admitted: its store, its token and its rate. */
export const CREDENTIAL_REASONS: Readonly<Record<string, Words>> = {
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
    name: 'Malformed credentials',
    why: 'The credentials do not have the form of those that Tenon makes. They may be cut off or mistyped.',
    help: 'Copy them again. An access token begins with tnn_at_ and a client secret with tnn_cs_. POST /apps/token takes a form with grant_type=client_credentials.',
  },
  unknown_token: {
    name: 'Unknown token',
    why: 'The token has the right form, but this server never made it, or it ended long ago.',
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
    help: 'Set the store to Active on the Stores page.',
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
    help: 'Resume the app on its page.',
  },
  revoked: { name: 'Token was revoked', why: 'All tokens of the app were revoked.', help: NEW_TOKEN },
  expired: { name: 'Token has expired', why: 'The token was valid for an hour, or as long as expiresIn said.', help: NEW_TOKEN },
  unknown_client: {
    name: 'Unknown client id',
    why: 'No app with this client id is installed on the store of the host.',
    help: 'Check the client id and the domain. Each store has its own installation of an app.',
  },
  wrong_secret: {
    name: 'Wrong client secret',
    why: 'The client secret does not belong to the client id. After a rotation, the old one ends with the overlap.',
    help: 'Use the secret that the last rotation showed. If it is lost, rotate it again on the page of the app.',
  },
  failed_tokens: {
    name: 'Too many bad tokens',
    why: 'The address sent many tokens that are not valid, so new ones are not looked up for a minute.',
    help: 'Stop the sender that has the bad token. Tokens that worked before still work from this address.',
  },
};
