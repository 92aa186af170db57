import { refuse, type Refusal } from '../result.ts';
import { parseUrl } from '../values/url.ts';
import { grantedScopes, previousEnd } from './installation.ts';
import { ALL_SCOPES, covers, type Scope } from './scope.ts';
import { EXAMPLE_TIME } from '../fields/standard-fields.ts';
import { id, list, text, time } from '../fields/kinds.ts';
import { resource, type Resource } from '../fields/record.ts';
import { clientIdField } from './token.ts';

export const PLATFORM_APP_STATUSES = ['Active', 'Suspended'] as const;
export type PlatformAppStatus = (typeof PLATFORM_APP_STATUSES)[number];

/** A developer opens a session with the client secret, or with a link that an operator made. */
export const OPENED_BY = ['Secret', 'Link'] as const;
export type OpenedBy = (typeof OPENED_BY)[number];

export const MAX_REDIRECT_URLS = 20;

/** Scopes that an app may ask merchants for, and the addresses that they return to. */
export interface Manifest {
  /** In the spelling with which a request must name them. */
  readonly redirectUrls: readonly string[];
  /** Every merchant grants these. Sorted, each once. */
  readonly scopes: readonly Scope[];
  /** A merchant may leave these out. Sorted, each once, and none of `scopes`. */
  readonly optionalScopes: readonly Scope[];
}

/** An app that a developer makes once, and that merchants install. */
export const PLATFORM_APP = resource(
  'PlatformApp',
  {
    id: id({ example: 31 }),
    name: text({ example: 'Stock sync' }),
    clientId: clientIdField,
    redirectUrls: list(text({}), { example: ['https://stock.example.com/installed'] }),
    scopes: list(text({ values: ALL_SCOPES }), { example: ['write_inventory'] }),
    optionalScopes: list(text({ values: ALL_SCOPES }), { example: ['read_orders'] }),
    eventUrl: text({
      orNull: true,
      example: 'https://stock.example.com/events',
      about:
        'Where the app learns that it was installed, suspended, resumed or uninstalled on a store, and that its scopes changed there. The rules are those of the URL of a subscription.',
    }),
    status: text({ values: PLATFORM_APP_STATUSES, example: 'Active' }),
    createdAt: time({ example: EXAMPLE_TIME }),
    updatedAt: time({ orNull: true }),
    previousClientSecretExpiresAt: previousEnd('client'),
    previousSigningSecretExpiresAt: previousEnd('signing'),
  },
  'An app that many stores can install.',
);
export type PlatformApp = Resource<typeof PLATFORM_APP>;

type Scopes = Pick<Manifest, 'scopes' | 'optionalScopes'>;

/** All scopes that the app may have, sorted. */
export const manifestScopes = ({ scopes, optionalScopes }: Scopes): Scope[] => grantedScopes([...scopes, ...optionalScopes]);

/** The scopes that the app asks every merchant for, and that these do not include. */
export const pendingScopes = ({ scopes }: Pick<Manifest, 'scopes'>, granted: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => !covers(granted, scope));

/** The scopes as they are stored: a scope that is required is not optional as well. */
export const sortedScopes = ({ scopes, optionalScopes }: Scopes): Scopes => ({
  scopes: grantedScopes(scopes),
  optionalScopes: grantedScopes(optionalScopes.filter((scope) => !scopes.includes(scope))),
});

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Refuses an address to which a browser must not be sent with what a merchant decided. Its text must be the one that a
 * browser makes of it, so that what is compared is what is opened.
 */
export const checkRedirectUrl = (text: string): Refusal<'invalid'> | null => {
  const url = parseUrl(text);
  if (!url || (url.href !== text && url.href !== `${text}/`))
    return refuse('invalid', 'A redirect URL must be an absolute URL in the spelling that browsers use.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    return refuse('invalid', 'A redirect URL must be an https URL. On localhost, it may be an http URL.');
  if (url.username || url.password) return refuse('invalid', 'A redirect URL must not contain credentials.');
  return text.includes('#') ? refuse('invalid', 'A redirect URL must not have a fragment.') : null;
};
