import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

import type { Attestation, Attested } from './attestation.ts';

/** The text, bytes, integers, lists and maps of CBOR (RFC 8949) that an authenticator sends. */
type Cbor = number | string | Buffer | readonly Buffer[] | ReadonlyMap<number | string, Cbor>;

const head = (major: number, value: number): Buffer => {
  const kind = major << 5;
  if (value < 24) return Buffer.from([kind | value]);
  return value < 256 ? Buffer.from([kind | 24, value]) : Buffer.from([kind | 25, value >> 8, value & 0xff]);
};

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (!('size' in value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)])]);
};

const FLAGS = { present: 0x01, verified: 0x04, hasCredential: 0x40 };

interface Challenge {
  readonly challenge: string;
}
interface Made extends Challenge {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}
interface Asked extends Challenge {
  readonly rpId: string;
}

/** Changes of an honest answer. */
interface Odd {
  readonly origin?: string;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly isVerified?: boolean;
  readonly attestation?: (of: Attested) => Attestation;
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** A passkey without a device: it answers as a browser of this origin would. It counts its uses, if it is asked to. */
export const createSoftPasskey = (origin: string, { counts = false, idBytes = 32 } = {}) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const [key, id] = [[x, y].map((part) => Buffer.from(part, 'base64url')), randomBytes(idBytes)] as const;
  const cose = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, key[0] ?? ''],
    [-3, key[1] ?? ''],
  ]);
  let uses = 0;
  let handle = '';

  const clientData = (type: string, { challenge }: Challenge, { origin: from = origin }: Odd): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const authenticatorData = (rpId: string, flags: number, counter: number): Buffer => {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), rest]);
  };
  const flagsOf = ({ isVerified = true }: Odd): number => FLAGS.present | (isVerified ? FLAGS.verified : 0);
  const encoded = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const };

  return {
    id: encoded.id,
    /** Answers these options like `navigator.credentials.create`. */
    make: (options: Made, odd: Odd = {}) => {
      handle = options.user.id;
      const length = Buffer.from([id.length >> 8, id.length & 0xff]);
      const data = authenticatorData(options.rp.id, flagsOf(odd) | FLAGS.hasCredential, odd.counter ?? uses);
      const made = Buffer.concat([data, Buffer.alloc(16), length, id, cbor(cose)]);
      const client = clientData('webauthn.create', options, odd);
      const attested = { authenticatorData: made, clientData: client, publicKey, privateKey };
      const { format, statement } = odd.attestation?.(attested) ?? { format: 'none', statement: new Map<string, number>() };
      const attestation = new Map<string, Cbor>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', made],
      ]);
      const response = {
        clientDataJSON: client.toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      };
      return { ...encoded, response };
    },
    /** Answers these options like `navigator.credentials.get`. */
    use: (options: Asked, odd: Odd = {}) => {
      uses += counts ? 1 : 0;
      const client = clientData('webauthn.get', options, odd);
      const data = authenticatorData(options.rpId, flagsOf(odd), odd.counter ?? uses);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: odd.userHandle ?? handle,
      };
      return { ...encoded, response };
    },
  };
};

export type SoftPasskey = ReturnType<typeof createSoftPasskey>;
