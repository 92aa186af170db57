import { createHash, sign, type KeyObject } from 'node:crypto';

/**
 * A device's statement about a new passkey: `format` and `statement` are the `fmt` and `attStmt` of
 * WebAuthn.
 */
export interface Attestation {
  readonly format: string;
  readonly statement: ReadonlyMap<string, number | Buffer | readonly Buffer[]>;
}

/** Subject of a statement, and the keys of the new passkey. */
export interface Attested {
  readonly authenticatorData: Buffer;
  readonly clientData: Buffer;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const ES256 = -7;

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
const signature = ({ authenticatorData, clientData, privateKey }: Attested): Buffer =>
  sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);

/** The passkey vouches for itself. */
export const ownAttestation = (of: Attested): Attestation => ({
  format: 'packed',
  statement: new Map<string, number | Buffer>([
    ['alg', ES256],
    ['sig', signature(of)],
  ]),
});

/** A value of DER (X.690) with this tag. */
const der = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const value = Buffer.concat(content);
  const { length } = value;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), value]);
  return Buffer.concat([Buffer.from(length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]), value]);
};
const sequence = (...content: readonly Buffer[]): Buffer => der(0x30, ...content);
const octets = (content: Buffer): Buffer => der(0x04, content);
const integer = (value: number, tag = 0x02): Buffer => der(tag, Buffer.from([value]));
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const FOREVER = sequence(der(0x18, Buffer.from('20000101000000Z')), der(0x18, Buffer.from('21000101000000Z')));

/** Where the certificate says that the revoked ones are listed. */
const listedAt = (url: string): Buffer => {
  const point = der(0xa0, der(0xa0, der(0x86, Buffer.from(url))));
  return sequence(oid('551d1f'), octets(sequence(sequence(point))));
};
const keyDescription = (challenge: Buffer): Buffer => {
  const nothing = sequence();
  const versions = [integer(1), integer(0, 0x0a), integer(1), integer(0, 0x0a)];
  const description = sequence(...versions, octets(challenge), octets(Buffer.alloc(0)), nothing, nothing);
  return sequence(oid('2b06010401d679020111'), octets(description));
};

const certificate = (of: Attested, subject: string, extensions: readonly Buffer[]): Buffer => {
  const key = of.publicKey.export({ type: 'spki', format: 'der' });
  const contents = sequence(
    der(0xa0, integer(2)),
    ...[integer(1), ECDSA_WITH_SHA256, nameOf('Root'), FOREVER, nameOf(subject), key, der(0xa3, sequence(...extensions))],
  );
  return sequence(contents, ECDSA_WITH_SHA256, bits(sign('sha256', contents, of.privateKey)));
};

/** Two certificates, which anybody can make. They say that the revoked ones are listed at the address. */
export const androidAttestation = (of: Attested, url: string): Attestation => {
  const leaf = certificate(of, 'Key', [keyDescription(sha256(of.clientData)), listedAt(url)]);
  return {
    format: 'android-key',
    statement: new Map<string, number | Buffer | readonly Buffer[]>([
      ['alg', ES256],
      ['sig', signature(of)],
      ['x5c', [leaf, certificate(of, 'Root', [listedAt(url)])]],
    ]),
  };
};
