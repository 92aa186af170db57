import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import type { MadePasskey } from '../../../application/identity/sign-in-methods.ts';
import { ATTEMPT_SECONDS } from '../../../domain/identity/sign-in-method.ts';
import type { KnownSignInMethod, PasskeyKey } from '../../../domain/ports/identity/sign-in-methods.ts';
import { textOf } from '../kit/text.ts';

/** A page of the console as WebAuthn names it. A passkey works on the host that it was made for. */
export interface PasskeyPlace {
  readonly origin: string;
  readonly rpId: string;
}

/** The place of the page; null where browsers give no passkeys: over plain http elsewhere than on this machine, and on an address. */
export const passkeyPlace = (origin: string | null): PasskeyPlace | null => {
  if (origin === null) return null;
  const { protocol, hostname } = new URL(origin);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = hostname.startsWith('[') || ipaddr.IPv4.isValid(hostname);
  return !isAddress && (protocol === 'https:' || isLocal) ? { origin, rpId: hostname } : null;
};

const base64url = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');
export const hexOfBase64url = (text: string): string => Buffer.from(text, 'base64url').toString('hex');
const bytes = (max: number) => z.string().regex(new RegExp(String.raw`^[\w-]{1,${String(max)}}$`), 'must be base64url');

/** 1,023 bytes, the most that WebAuthn allows. */
const CREDENTIAL_ID = bytes(1_364);
const common = { id: CREDENTIAL_ID, rawId: CREDENTIAL_ID, type: z.literal('public-key') };

/** A browser's answer with a new passkey. */
export const madePasskey = z
  .object({
    ...common,
    response: z.object({
      clientDataJSON: bytes(4_096),
      attestationObject: bytes(8_192),
      transports: z
        .array(textOf({ max: 40 }))
        .max(10)
        .default([]),
    }),
  })
  .meta({ description: 'The PublicKeyCredential of the browser, as JSON.' });

/** A browser's answer with a passkey that signs in. */
export const usedPasskey = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes(4_096),
    authenticatorData: bytes(4_096),
    signature: bytes(4_096),
    userHandle: bytes(200).optional(),
  }),
});

const NAME = 'Tenon console';
const TIMEOUT_MS = ATTEMPT_SECONDS * 1_000;

/** A passkey replaces a password and the second factor, so the device must know its owner. */
const userVerification = 'required' as const;

/**
 * Options of `navigator.credentials.get`. No list of passkeys: the person chooses among those of
 * the device.
 */
export const requestOptions = ({ rpId }: PasskeyPlace, challenge: string) => ({
  challenge,
  rpId,
  timeout: TIMEOUT_MS,
  userVerification,
});

/** EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];

/** Handle that a browser returns at a sign-in. */
const userHandleOf = (operatorId: string): string => Buffer.from(operatorId).toString('base64url');

/** Options of `navigator.credentials.create`. */
export const creationOptions = (
  { rpId }: PasskeyPlace,
  challenge: string,
  operator: { readonly id: string; readonly name: string; readonly passkeys: readonly PasskeyKey[] },
) => ({
  challenge,
  rp: { id: rpId, name: NAME },
  user: { id: userHandleOf(operator.id), name: operator.name, displayName: operator.name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
  timeout: TIMEOUT_MS,
  attestation: 'none' as const,
  authenticatorSelection: { residentKey: 'required' as const, userVerification },
  excludeCredentials: operator.passkeys.map(({ key, transports }) => ({
    id: base64url(key),
    type: 'public-key' as const,
    transports: [...transports],
  })),
});

/** Loaded at the first passkey: it brings parsers of certificates, which nothing else needs. */
const load = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

const expected = ({ origin, rpId }: PasskeyPlace, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: true,
});

/** The library throws an Error for each thing that is wrong with what a browser sent. */
const unlessInvalid = async <T>(verify: () => Promise<T>): Promise<T | null> => {
  try {
    return await verify();
  } catch {
    return null;
  }
};

/**
 * Browsers are asked for no attestation. One with certificates is refused: to check it, the library would send requests to the
 * addresses that they name, wherever these are.
 */
const hasNoCertificates = async (attestationObject: string): Promise<boolean> => {
  const { decodeAttestationObject } = await loadHelpers();
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
};

/** The new passkey; null for an answer that is not one to this challenge on this page. */
export const verifyMade = async (
  place: PasskeyPlace,
  challenge: string,
  answer: z.output<typeof madePasskey>,
): Promise<MadePasskey | null> => {
  const { verifyRegistrationResponse } = await load();
  const { transports, ...response } = answer.response;
  const given = { ...answer, response, clientExtensionResults: {} } satisfies RegistrationResponseJSON;
  const verified = await unlessInvalid(async () =>
    (await hasNoCertificates(response.attestationObject))
      ? verifyRegistrationResponse({ ...expected(place, challenge), response: given })
      : null,
  );
  if (!verified?.verified) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  // The device's statement has no limit of its own.
  if (id !== answer.id) return null;
  return { key: hexOfBase64url(id), publicKey: Buffer.from(publicKey).toString('hex'), counter, transports };
};

/** The counter of the passkey; null for an answer that this passkey of this operator did not sign for this challenge on this page. */
export const verifyUsed = async (
  place: PasskeyPlace,
  challenge: string,
  { answer, passkey }: { readonly answer: z.output<typeof usedPasskey>; readonly passkey: KnownSignInMethod },
): Promise<number | null> => {
  const { userHandle, ...response } = answer.response;
  if (passkey.publicKey === null || userHandle !== userHandleOf(passkey.operatorId)) return null;
  const { verifyAuthenticationResponse } = await load();
  const given = { ...answer, response, clientExtensionResults: {} } satisfies AuthenticationResponseJSON;
  // The counter is judged by the domain, in the statement that notes it.
  const credential = { id: answer.id, publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'hex')), counter: 0 };
  const verified = await unlessInvalid(() =>
    verifyAuthenticationResponse({ ...expected(place, challenge), response: given, credential }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
};
