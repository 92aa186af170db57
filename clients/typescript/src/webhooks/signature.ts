/** What Standard Webhooks 1.0.0 signs. */
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
    return crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['sign', 'verify']);
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

/** The signatures of version 1 in the header, as bytes; what is not base64 is left out. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((one) => {
    try {
      return one.startsWith('v1,') ? [bytesOf(one.slice('v1,'.length))] : [];
    } catch {
      return [];
    }
  });

/** Whether one of the header's signatures is by one of the keys. WebCrypto compares in constant time. */
export const isSigned = async (keys: readonly Key[], header: string, signed: Signed): Promise<boolean> => {
  const content = contentOf(signed);
  for (const signature of signaturesIn(header)) {
    for (const key of keys) if (await crypto.subtle.verify(ALGORITHM, key, signature, content)) return true;
  }
  return false;
};
