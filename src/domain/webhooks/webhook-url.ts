import { isLongerThan } from '../values/text.ts';
import { parseUrl } from '../values/url.ts';
import { withoutTrailing } from '../values/without-trailing.ts';

export const MAX_URL_LENGTH = 2048;

/** Suffixes that name something of one network: RFC 6761, 6762, 8375, ICANN's .internal, and what routers and offices use. */
const LOCAL_SUFFIXES = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'home.arpa',
  'lan',
];

/** Whether a normalised host name is local; so is every name without a dot. */
export const isLocalName = (name: string): boolean => {
  const bare = withoutTrailing(name, '.');
  return !bare.includes('.') || LOCAL_SUFFIXES.some((suffix) => bare === suffix || bare.endsWith(`.${suffix}`));
};

/** Top-level names that the public DNS will never hold (RFC 6761, RFC 7686). */
const NEVER_PUBLIC = ['invalid', 'onion'];

/** A label of a name in the DNS. The underscore is not for host names by the book, but in use. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** Whether a normalised host name without a trailing dot can be one of the public DNS. */
const canBePublic = (name: string): boolean => {
  const labels = name.split('.');
  return name.length <= 253 && labels.every((label) => LABEL.test(label)) && !NEVER_PUBLIC.includes(labels.at(-1) ?? '');
};

/** The URL's host in its normal form (IPv6 in brackets, dotted IPv4 or a lower-case name) without a trailing dot. */
export interface Target {
  readonly host: string;
  /** https. */
  readonly secure: boolean;
}

/** Judged by the text, because the parser drops empty credentials (`https://@host/`). */
const holdsCredentials = (text: string): boolean => /^[^/]*\/\/[^/\\?#]*@/.test(text);

const isVisible = (text: string): boolean => !/[\s\p{Cc}]/u.test(text);

/** What is wrong with the host and port of a URL; null when nothing is. */
const hostFault = (host: string, port: string): string | null => {
  if (port === '0') return 'url must not use port 0.';
  if (host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)) return null;
  if (isLocalName(host)) return 'url must not name a local host.';
  return canBePublic(host) ? null : 'url must name a host of the public DNS.';
};

/**
 * The target of a subscription's URL, or the public text of what is wrong with it. The URL parser turns every odd form of a literal
 * address (decimal, hex, octal, short, percent-encoded, fullwidth) into its normal one, so that what is judged is what is dialled.
 */
export const parseTarget = (text: string): { readonly value: Target } | { readonly fault: string } => {
  if (isLongerThan(text, MAX_URL_LENGTH)) return { fault: `url must have at most ${MAX_URL_LENGTH} characters.` };
  const url = parseUrl(text);
  // Only what begins as an absolute URL and holds no blanks: the parser would strip those and repair the rest.
  if (!url || !/^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(text) || !isVisible(text)) return { fault: 'url must be an absolute URL.' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { fault: 'url must be an https URL.' };
  if (holdsCredentials(text)) return { fault: 'url must not hold credentials.' };
  const host = url.hostname.replace(/\.$/, '');
  const fault = hostFault(host, url.port);
  if (fault !== null) return { fault };
  return { value: { host, secure: url.protocol === 'https:' } };
};
