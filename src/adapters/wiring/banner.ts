import type { DemoStore } from '../demo/store.ts';
import { defaultOf, type Config } from './settings/config.ts';

export interface Addresses {
  /**
   * Address for apps, e.g. http://localhost:4000; the host must be the demo store's domain for the
   * lines to work.
   */
  readonly url: string;
  readonly adminUrl: string;
  /**
   * The file with the admin token that the first start made; null where ADMIN_TOKEN sets the token.
   */
  readonly tokenFile: string | null;
  readonly adminToken: string;
  /** The link that signs in to the console, once and within 10 minutes. */
  readonly consoleUrl: string;
  /** Command with which the command line finds this server, e.g. `ADMIN_PORT=4101 npx tenon`. */
  readonly command: string;
}

/** Quotes a word for a POSIX shell. */
const quoted = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** The command in the folder of this start: with the settings by which it finds the server, where they are not the defaults. */
export const commandFor = (config: Pick<Config, 'ADMIN_HOST' | 'DATA_DIR'>, adminUrl: string): string => {
  const own = { ADMIN_HOST: config.ADMIN_HOST, ADMIN_PORT: new URL(adminUrl).port, DATA_DIR: config.DATA_DIR };
  const set = Object.entries(own).filter(([name, value]) => value !== defaultOf(name));
  return [...set.map(([name, value]) => `${name}=${quoted(value)}`), 'npx tenon'].join(' ');
};

const consoleLine = ({
  consoleUrl,
}: Pick<Addresses, 'consoleUrl'>): string => `Console (this link signs you in once, within 10 minutes):
  ${consoleUrl}
`;

const ending = ({ command }: Pick<Addresses, 'command'>): string => `
Ctrl-C stops the server. For a new link to the console: ${command} open
`;

type CreatedStore = Extract<DemoStore, { created: true }>;

/**
 * Output of a first start: the secrets, and lines for a POSIX shell that work when pasted in this
 * order. Tenon prints it once.
 */
const welcome = ({ url, adminUrl, adminToken, tokenFile, ...rest }: Addresses, store: CreatedStore): string => `
Tenon is ready: ${url} (interactive documentation at ${url}/docs)

${consoleLine(rest)}
A demo store with ${store.productCount} products is on the domain localhost. These secrets are shown once:
  client id       ${store.clientId}
  client secret   ${store.clientSecret}
  signing secret  ${store.signingSecret}
  admin           ${adminUrl}
  admin token     ${tokenFile === null ? 'the value of ADMIN_TOKEN' : adminToken}

Try it:
  TOKEN=$(curl -s ${url}/apps/token -d grant_type=client_credentials \\
    -d client_id=${store.clientId} \\
    -d client_secret=${store.clientSecret} | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
  curl -s "${url}/apps/catalog/products?take=3" -H "Authorization: Bearer $TOKEN"
  curl -s ${url}/apps/catalog/products/${store.exampleProductId} -H "Authorization: Bearer $TOKEN"
  curl -si ${url}/apps/catalog/products/bulk -H "Authorization: Bearer $TOKEN" \\
    -H 'Idempotency-Key: demo-1' -H 'Content-Type: application/json' \\
    -d '{"products":[{"id":"${store.exampleProductId}","name":"Block plane, low angle"}]}'
Repeat the last line: it returns the same bytes with Idempotent-Replay: true.
${ending(rest)}`;

/**
 * Output of a later start: no secret but the link of the console. Client and signing secrets cannot
 * be shown again, but they can be replaced.
 */
const welcomeBack = ({ url, adminUrl, ...rest }: Addresses): string => `
Tenon is ready: ${url} (interactive documentation at ${url}/docs)

${consoleLine(rest)}
The data of earlier starts is kept. Its secrets were shown once. Admin API: ${adminUrl}
For a new client secret or signing secret:
  ${rest.command} app list
  ${rest.command} app rotate-client-secret NAME
  ${rest.command} app rotate-signing-secret NAME
${ending(rest)}`;

/**
 * The text for a person who starts the development profile in a terminal. It holds
 * secrets: never log it.
 */
export const banner = (addresses: Addresses, store: DemoStore): string =>
  store.created ? welcome(addresses, store) : welcomeBack(addresses);
