import { refuse, type Refusal } from '../result.ts';
import { parseUrl } from '../values/url.ts';
import { grantedScopes } from './installation.ts';
import { covers, type Scope } from './scope.ts';

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

/** An app that a developer makes once, and that merchants install. Times are ISO 8601 in UTC with milliseconds. */
export interface PlatformApp extends Manifest {
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
  /** Address for events about its installations; null for none. */
  readonly eventUrl: string | null;
  /** Suspended: none of its installations may call, and nothing is sent to them. */
  readonly status: PlatformAppStatus;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  /** When the last of the older client secrets ends. Null when only the newest is valid. */
  readonly previousClientSecretExpiresAt: string | null;
  /** When the last of the older signing secrets ends. Null when only the newest is valid. */
  readonly previousSigningSecretExpiresAt: string | null;
}

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
