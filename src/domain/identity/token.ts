/**
 * Opaque credentials (decisions.md, Formats): a product prefix, a random body in base62 and a CRC-32 checksum in base62 over both,
 * each of fixed width. Secret scanners find them by the regexes below, and a mistyped one is refused before any database work.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^6 is the first power over 2^32. */
const CHECKSUM_LENGTH = 6;

/** `bytes` of randomness each holds, and the base62 digits that hold them: 22 for 128 bits, 43 for 256. */
const FORMATS = {
  clientId: { prefix: 'tnn_cid_', bytes: 16, digits: 22 },
  clientSecret: { prefix: 'tnn_cs_', bytes: 32, digits: 43 },
  accessToken: { prefix: 'tnn_at_', bytes: 32, digits: 43 },
} as const;

export type CredentialKind = keyof typeof FORMATS;

/** Standard Webhooks. */
export const SIGNING_SECRET_PREFIX = 'whsec_';
/** Of an admin token that Tenon makes; an operator's own may be any text. */
export const ADMIN_TOKEN_PREFIX = 'tnn_admin_';
/** Characters of any admin token at least: it alone guards the merchant's side. */
export const MIN_ADMIN_TOKEN = 24;

/** What each credential that Tenon makes begins with: the log cuts what follows. */
export const CREDENTIAL_PREFIXES: readonly string[] = [
  ...Object.values(FORMATS).map(({ prefix }) => prefix),
  SIGNING_SECRET_PREFIX,
  ADMIN_TOKEN_PREFIX,
];

/** What secret scanners look for; published in the README and the OpenAPI document. */
export const CREDENTIAL_PATTERNS: Readonly<Record<CredentialKind, RegExp>> = {
  clientId: /^tnn_cid_[0-9A-Za-z]{28}$/,
  clientSecret: /^tnn_cs_[0-9A-Za-z]{49}$/,
  accessToken: /^tnn_at_[0-9A-Za-z]{49}$/,
};

/** How many random bytes `formatCredential` wants for the kind. */
export const randomBytesOf = (kind: CredentialKind): number => FORMATS[kind].bytes;

const base62 = (value: number, width: number): string => {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < width; digit += 1) {
    text = `${ALPHABET[rest % 62] ?? ''}${text}`;
    rest = Math.floor(rest / 62);
  }
  return text;
};

/** So many digits are a number that a double holds exactly; a division of a bigint costs as much as all of theirs. */
const CHUNK = 8;
const CHUNK_VALUE = 62n ** BigInt(CHUNK);

const base62OfBytes = (bytes: Uint8Array, width: number): string => {
  let rest = BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`);
  let text = '';
  for (let left = width; left > 0; left -= CHUNK) {
    text = `${base62(Number(rest % CHUNK_VALUE), Math.min(CHUNK, left))}${text}`;
    rest /= CHUNK_VALUE;
  }
  return text;
};

/** What each byte makes of the register. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 as zlib and PNG have it (reflected 0xEDB88320), of ASCII text. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
};

const checksum = (text: string): string => base62(crc32(text), CHECKSUM_LENGTH);

/** The credential that these random bytes make; `randomBytesOf(kind)` of them. Throws a RangeError for another number. */
export const formatCredential = (kind: CredentialKind, randomBytes: Uint8Array): string => {
  const { prefix, bytes, digits } = FORMATS[kind];
  if (randomBytes.length !== bytes) throw new RangeError(`a ${kind} takes ${String(bytes)} random bytes`);
  const text = `${prefix}${base62OfBytes(randomBytes, digits)}`;
  return `${text}${checksum(text)}`;
};

/** Whether the text is of this kind and its checksum holds. Says nothing of whether it was ever issued. */
export const parseCredential = (kind: CredentialKind, text: string): boolean =>
  CREDENTIAL_PATTERNS[kind].test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

/** `expiresIn` of the token response (app-api.md, Limits, "Access token lifetime"); a setting with this default. */
export const DEFAULT_TOKEN_SECONDS = 3600;

/** Why a token is not honoured; for the log, never for the caller, who gets an empty 401. */
export type TokenRejection =
  'malformed' | 'unknown_token' | 'wrong_store' | 'store_inactive' | 'uninstalled' | 'suspended' | 'revoked' | 'expired';
