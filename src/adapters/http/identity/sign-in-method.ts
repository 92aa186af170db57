import { z } from 'zod';

import { SIGN_IN_KINDS } from '../../../domain/identity/sign-in-method.ts';
import { madePasskey } from '../console/passkeys.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { shownNameOf, textOf } from '../kit/text.ts';

const MAX_PASSKEY_NAME = 100;

const EXAMPLE = {
  id: exampleId(5),
  kind: 'passkey' as const,
  name: 'Laptop',
  createdAt: EXAMPLE_TIME,
  lastUsedAt: EXAMPLE_TIME,
};

export const signInMethod = z
  .object({
    id: z.guid(),
    kind: z.enum(SIGN_IN_KINDS).meta({ description: 'A passkey, or an account of the identity provider.' }),
    name: z.string().meta({ description: 'Of a passkey, as its operator named it. Of an account, its email address.' }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SignInMethod', examples: [EXAMPLE] });

export const signInMethodList = z
  .object({ items: z.array(signInMethod).readonly() })
  .meta({ id: 'SignInMethodList', examples: [{ items: [EXAMPLE] }] });

const credentialType = z.literal('public-key');

/** Options of `navigator.credentials.create`, as JSON. */
const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: credentialType })),
  timeout: z.int(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification: z.literal('required') }),
  excludeCredentials: z.array(z.object({ id: z.string(), type: credentialType, transports: z.array(z.string()) })),
});

const SEALED = 'v1.main.2Zr0Cyu5Ts3cLb4N.mF8w.pQ7RTbV0xBfVdqU8fZ1n2A';

const CHALLENGE_EXAMPLE = {
  attempt: SEALED,
  options: {
    challenge: '5f0c1d0e6a3b4c5d8e9f00112233445566778899aabbccddeeff001122334455',
    rp: { id: 'admin.example.com', name: 'Tenon console' },
    user: { id: 'MDE5YTAwMDA', name: 'Ada Lovelace', displayName: 'Ada Lovelace' },
    pubKeyCredParams: [{ alg: -7, type: 'public-key' as const }],
    timeout: 300_000,
    attestation: 'none' as const,
    authenticatorSelection: { residentKey: 'required' as const, userVerification: 'required' as const },
    excludeCredentials: [],
  },
};

export const passkeyChallenge = z
  .object({
    attempt: z.string().meta({ description: 'Send it back with the passkey, within 5 minutes.' }),
    options: creationOptions.meta({ description: 'For `navigator.credentials.create`, as JSON.' }),
  })
  .meta({ id: 'PasskeyChallenge', examples: [CHALLENGE_EXAMPLE] });

export const newPasskey = z
  .object({
    name: shownNameOf(MAX_PASSKEY_NAME),
    attempt: textOf({ max: 2_000 }),
    credential: madePasskey,
  })
  .meta({
    id: 'NewPasskey',
    examples: [
      {
        name: 'Laptop',
        attempt: SEALED,
        credential: {
          id: 'q83v',
          rawId: 'q83v',
          type: 'public-key',
          response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
        },
      },
    ],
  });
