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
  const bare = name.replace(/\.+$/, '');
  return !bare.includes('.') || LOCAL_SUFFIXES.some((suffix) => bare === suffix || bare.endsWith(`.${suffix}`));
};

/** The URL's host in its normal form (IPv6 in brackets, dotted IPv4 or a lower-case name) without a trailing dot. */
export interface Target {
  readonly host: string;
  /** https. */
  readonly secure: boolean;
}

const isVisible = (text: string): boolean => !/[\s\p{Cc}]/u.test(text);

/**
 * The target of a subscription's URL, or the public text of what is wrong with it. The URL parser turns every odd form of a literal
 * address (decimal, hex, octal, short, percent-encoded, fullwidth) into its normal one, so that what is judged is what is dialled.
 */
export const parseTarget = (text: string): { readonly value: Target } | { readonly fault: string } => {
  if (text.length > MAX_URL_LENGTH) return { fault: `url must have at most ${MAX_URL_LENGTH} characters.` };
  // Only what begins as an absolute URL and holds no blanks: the parser would strip those and repair the rest.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text) || !isVisible(text) || !URL.canParse(text))
    return { fault: 'url must be an absolute URL.' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { fault: 'url must be an https URL.' };
  if (url.username !== '' || url.password !== '') return { fault: 'url must not hold credentials.' };
  const host = url.hostname.replace(/\.$/, '');
  const literal = host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);
  if (!literal && isLocalName(host)) return { fault: 'url must not name a local host.' };
  return { value: { host, secure: url.protocol === 'https:' } };
};
