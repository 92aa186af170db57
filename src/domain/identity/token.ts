import { crc32 } from '../values/crc32.ts';
import { INSTALL_REQUEST_PREFIX } from './install-request.ts';
import { text } from '../fields/kinds.ts';

/**
 * Opaque credentials (docs/specification/credentials.md, "Formats"): a product prefix, random bytes
 * in base62, and a CRC-32 checksum of both in base62. Each part has a fixed width. Secret scanners
 * find them by the patterns below, and a mistyped one is refused before any database work.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^6 is the smallest power of 62 above 2^32. */
const CHECKSUM_LENGTH = 6;

/**
 * The random bytes of each kind, and the base62 digits that they need: 22 for 128 bits, 43 for 256.
 */
const FORMATS = {
  clientId: { prefix: 'tnn_cid_', bytes: 16, digits: 22 },
  clientSecret: { prefix: 'tnn_cs_', bytes: 32, digits: 43 },
  accessToken: { prefix: 'tnn_at_', bytes: 32, digits: 43 },
  loginCode: { prefix: 'tnn_code_', bytes: 32, digits: 43 },
  session: { prefix: 'tnn_session_', bytes: 32, digits: 43 },
  operatorToken: { prefix: 'tnn_op_', bytes: 32, digits: 43 },
} as const;

export type CredentialKind = keyof typeof FORMATS;

/** Standard Webhooks. */
export const SIGNING_SECRET_PREFIX = 'whsec_';
/** Admin tokens that Tenon makes have this prefix. An operator may choose any text. */
export const ADMIN_TOKEN_PREFIX = 'tnn_admin_';
/** The fewest characters of an admin token, which alone protects the merchant's side. */
export const MIN_ADMIN_TOKEN = 24;

/** The prefix of each credential that Tenon makes. The log cuts the text after it. */
export const CREDENTIAL_PREFIXES: readonly string[] = [
  ...Object.values(FORMATS).map(({ prefix }) => prefix),
  SIGNING_SECRET_PREFIX,
  ADMIN_TOKEN_PREFIX,
  INSTALL_REQUEST_PREFIX,
];

/** Patterns for secret scanners, published in the documentation and the OpenAPI document. */
export const CREDENTIAL_PATTERNS: Readonly<Record<CredentialKind, RegExp>> = {
  clientId: /^tnn_cid_[0-9A-Za-z]{28}$/,
  clientSecret: /^tnn_cs_[0-9A-Za-z]{49}$/,
  accessToken: /^tnn_at_[0-9A-Za-z]{49}$/,
  loginCode: /^tnn_code_[0-9A-Za-z]{49}$/,
  session: /^tnn_session_[0-9A-Za-z]{49}$/,
  operatorToken: /^tnn_op_[0-9A-Za-z]{49}$/,
};

/** The client id of an app, in what is answered. The checksum of the example is wrong. */
export const clientIdField = text({
  pattern: CREDENTIAL_PATTERNS.clientId.source,
  example: 'tnn_cid_ExampleExampleExampleExample',
});

/** The number of random bytes that `formatCredential` takes for the kind. */
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

/**
 * Digits of a number that a double holds exactly. One division of a bigint costs as much as eight
 * of doubles.
 */
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

const checksum = (text: string): string => base62(crc32(text), CHECKSUM_LENGTH);

/**
 * The credential of these random bytes. Throws a RangeError unless there are `randomBytesOf(kind)`
 * of them.
 */
export const formatCredential = (kind: CredentialKind, randomBytes: Uint8Array): string => {
  const { prefix, bytes, digits } = FORMATS[kind];
  if (randomBytes.length !== bytes) throw new RangeError(`A ${kind} takes ${bytes} random bytes.`);
  const text = `${prefix}${base62OfBytes(randomBytes, digits)}`;
  return `${text}${checksum(text)}`;
};

/** Checks the form and the checksum of the text. A valid text may never have been issued. */
export const parseCredential = (kind: CredentialKind, text: string): boolean =>
  CREDENTIAL_PATTERNS[kind].test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

/** The default of `expiresIn` of the token response (docs/specification/credentials.md, "Access tokens"). */
export const DEFAULT_TOKEN_SECONDS = 3600;

/** The longest lifetime of a token that the merchant makes to try the API, and its default. */
export const MAX_TRIAL_TOKEN_SECONDS = 600;

/** Reasons for refusing a token. For the log only: the caller gets an empty 401. */
export type TokenRejection =
  'malformed' | 'unknown_token' | 'wrong_store' | 'store_inactive' | 'uninstalled' | 'suspended' | 'revoked' | 'expired';
