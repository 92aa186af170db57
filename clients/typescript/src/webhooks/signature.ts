/** Signed parts in Standard Webhooks 1.0.0. */
export interface Signed {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: Uint8Array;
}

/** A key of WebCrypto. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };
const encoder = new TextEncoder();

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
const base64Of = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));

/**
 * The key of a signing secret: `whsec_` and base64, or the base64 alone. Throws a TypeError for any
 * other text, without repeating it.
 */
export const keyOf = (secret: string): Promise<Key> => {
  try {
    const bytes = bytesOf(secret.replace(/^whsec_/, ''));
    if (bytes.length === 0) throw new TypeError('empty');
    return crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['sign']);
  } catch {
    throw new TypeError('A signing secret is whsec_ followed by base64. The merchant gets it when the app is installed.');
  }
};

const contentOf = ({ id, timestamp, body }: Signed): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${id}.${String(timestamp)}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
};

/** `v1,` and the base64 of the signature. */
export const signatureOf = async (key: Key, signed: Signed): Promise<string> =>
  `v1,${base64Of(await crypto.subtle.sign(ALGORITHM, key, contentOf(signed)))}`;

/** More than a rotation of secrets needs. The rest of the header is not read: anybody can send it. */
const MAX_SIGNATURES = 32;

/** Takes the same time for all signatures of one length, wherever they differ. */
const areEqual = (one: string, other: string): boolean => {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
};

/** Returns true if one of the header's first signatures is by one of the keys. Hashes the body once for each key. */
export const isSigned = async (keys: readonly Key[], header: string, signed: Signed): Promise<boolean> => {
  const given = header.split(' ', MAX_SIGNATURES);
  const expected = await Promise.all(keys.map((key) => signatureOf(key, signed)));
  return expected.some((signature) => given.some((one) => areEqual(one, signature)));
};
