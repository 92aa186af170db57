import { ok, refuse, type Refusal, type Result } from '../result.ts';
import { isLongerThan, lengthRule } from '../values/text.ts';
import { parseUrl, MAX_URL_LENGTH } from '../values/url.ts';
import { withoutTrailing } from '../values/without-trailing.ts';

/**
 * Suffixes of local networks: RFC 6761, 6762, 8375, ICANN's .internal, and common names in routers
 * and offices.
 */
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

/** A name without a dot is local. The name is normalised. */
const isLocalName = (name: string): boolean => {
  const bare = withoutTrailing(name, '.');
  return !bare.includes('.') || LOCAL_SUFFIXES.some((suffix) => bare === suffix || bare.endsWith(`.${suffix}`));
};

/** Top-level names that the public DNS never has (RFC 6761, RFC 7686). */
const NEVER_PUBLIC = ['invalid', 'onion'];

/** A label of a DNS name. The underscore is not allowed in host names, but is in use. */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** True for a normalised name without a trailing dot that the public DNS can have. */
const canBePublic = (name: string): boolean => {
  const labels = name.split('.');
  return name.length <= 253 && labels.every((label) => LABEL.test(label)) && !NEVER_PUBLIC.includes(labels.at(-1) ?? '');
};

export interface Target {
  /**
   * In its normal form (IPv6 in brackets, dotted IPv4 or a lower-case name), without a trailing
   * dot.
   */
  readonly host: string;
  readonly secure: boolean;
}

/** Tested on the text, because the parser drops empty credentials (`https://@host/`). */
const hasCredentials = (text: string): boolean => /^[^/]*\/\/[^/\\?#]*@/.test(text);

const isVisible = (text: string): boolean => !/[\s\p{Cc}]/u.test(text);

export const invalid = (message: string): Refusal<'invalid'> => refuse('invalid', message);

const checkHost = (host: string, port: string): Refusal<'invalid'> | null => {
  if (port === '0') return invalid('url must not use port 0.');
  // IPv6. An IPv4 address passes the rules of names.
  if (host.startsWith('[')) return null;
  if (isLocalName(host)) return invalid('url must not have a local host name.');
  return canBePublic(host) ? null : invalid('url must have a host name of the public DNS.');
};

/**
 * The target of a subscription's URL. The URL parser normalises every form of a literal address
 * (decimal, hex, octal, short, percent-encoded, fullwidth), so the judged address is the dialled
 * one.
 */
export const parseTarget = (text: string): Result<Target, 'invalid'> => {
  if (isLongerThan(text, MAX_URL_LENGTH)) return invalid(`url ${lengthRule(MAX_URL_LENGTH)}.`);
  const url = parseUrl(text);
  // The text is tested too, because the parser strips blanks and repairs other errors.
  if (!url || !/^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(text) || !isVisible(text)) return invalid('url must be an absolute URL.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return invalid('url must be an https URL.');
  if (hasCredentials(text)) return invalid('url must not contain credentials.');
  const host = url.hostname.replace(/\.$/, '');
  return checkHost(host, url.port) ?? ok({ host, secure: url.protocol === 'https:' });
};
