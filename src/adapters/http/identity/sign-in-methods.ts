import { z } from 'zod';

import type { Actor } from '../../../domain/identity/operator.ts';
import { SIGN_IN_KINDS, NO_ATTEMPT, REFUSED_PASSKEY } from '../../../domain/identity/sign-in-method.ts';
import { ok, refuse, type Refusal, type Result } from '../../../domain/result.ts';
import { NO_PLACE } from '../console/passkey-way.ts';
import { madePasskey, creationOptions, passkeyPlace, verifyMade, type PasskeyPlace } from '../console/passkeys.ts';
import type { HandlerContext } from '../handler.ts';
import { EXAMPLE_TIME, exampleId } from '../kit/example-record.ts';
import { OWNERS } from '../store-rule.ts';
import { shownNameOf, textOf } from '../kit/text.ts';
import { route } from '../route.ts';

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

const signInMethodList = z
  .object({ items: z.array(signInMethod).readonly() })
  .meta({ id: 'SignInMethodList', examples: [{ items: [EXAMPLE] }] });

const credentialType = z.literal('public-key');

/** Options of `navigator.credentials.create`, as JSON. */
const creationOptionsJson = z.object({
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
    options: creationOptionsJson.meta({ description: 'For `navigator.credentials.create`, as JSON.' }),
  })
  .meta({ id: 'PasskeyChallenge', examples: [CHALLENGE_EXAMPLE] });

const newPasskey = z
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

/** For operators of every role: it is about the caller alone. */
const OWN = { needs: 'viewer', stores: 'own' } as const;
const TAG = 'Operators';

const NO_OPERATOR = refuse(
  'conflict',
  'The holder of ADMIN_TOKEN has no passkeys. Add yourself as an operator with the role owner, and sign in with your link.',
);
/** A token that ends would otherwise leave a passkey behind, which does not. */
const NOT_IN_CONSOLE = refuse('forbidden', 'A token adds no passkeys. Sign in to the console, and add the passkey there.');

interface Adding {
  readonly operatorId: string;
  readonly place: PasskeyPlace;
}

/** Finds the operator who adds a passkey and the place, or the reason why nobody may. */
const addingOf = (
  { operatorId }: Actor,
  { sessionId, consoleOrigin }: HandlerContext,
): Result<Adding, 'conflict' | 'forbidden'> => {
  if (sessionId === null) return NOT_IN_CONSOLE;
  if (operatorId === null) return NO_OPERATOR;
  const place = passkeyPlace(consoleOrigin);
  return place === null ? NO_PLACE : ok({ operatorId, place });
};

/** The session is there: it is what the browser sent that is not right. */
const asConflict = ({ message }: Refusal): Refusal<'conflict'> => refuse('conflict', message);

const items = <T>(value: readonly T[]) => ok({ items: value });

export const signInMethodRoutes = [
  route
    .get('/admin/operator/sign-in-methods', 'listOwnSignInMethods')
    .admin(TAG, OWN)
    .summary(
      'List your sign-in methods',
      'Lists the passkeys and accounts of the caller, oldest first. Links and tokens are not listed.',
    )
    .returns(200, signInMethodList)
    .handle(async (app, { actor: { operatorId } }) =>
      items(operatorId === null ? [] : (await app.ownSignInMethods(operatorId)).value),
    ),
  route
    .post('/admin/operator/passkey-challenges', 'createPasskeyChallenge')
    .admin(TAG, OWN)
    .summary(
      'Begin to add a passkey',
      'Only a console session can. Returns 409 where browsers give no passkeys, and for the holder of ADMIN_TOKEN.',
    )
    .notAudited()
    .returns(201, passkeyChallenge)
    .refuses('conflict', 'forbidden')
    .handle(async (app, { actor, context }) => {
      const adding = addingOf(actor, context);
      if (!adding.ok) return adding;
      const { operatorId, place } = adding.value;
      const { sealed, secret } = app.beginAttempt('passkey_addition', operatorId);
      const operator = { id: operatorId, name: actor.name, passkeys: await app.passkeyKeys(operatorId) };
      return ok({ attempt: sealed, options: creationOptions(place, secret, operator) });
    }),
  route
    .post('/admin/operator/passkeys', 'createPasskey')
    .admin(TAG, OWN)
    .summary(
      'Add a passkey',
      'Only a console session can. Returns 409 if the challenge has expired, was used before or is of another operator, if the passkey was added before, and as when beginning.',
    )
    .body(newPasskey)
    .returns(201, signInMethod)
    .refuses('conflict', 'forbidden')
    .handle(async (app, { actor, context, body: { name, attempt: sealed, credential } }) => {
      const adding = addingOf(actor, context);
      if (!adding.ok) return adding;
      const { operatorId, place } = adding.value;
      const attempt = app.openAttempt('passkey_addition', sealed, operatorId);
      if (attempt === null) return asConflict(NO_ATTEMPT);
      const made = await verifyMade(place, attempt.secret, credential);
      return made === null ? asConflict(REFUSED_PASSKEY) : app.addPasskey(operatorId, name, made, attempt);
    }),
  route
    .delete('/admin/operator/sign-in-methods/:methodId', 'deleteOwnSignInMethod')
    .admin(TAG, OWN)
    .summary('Remove one of your sign-in methods', 'It signs you in no longer. Sessions that it started continue until they end.')
    .returnsNothing()
    .refuses('not_found')
    .handle(async (app, { actor, params }) => app.removeSignInMethod(actor.operatorId, params.methodId)),
  route
    .get('/admin/operators/:operatorId/sign-in-methods', 'listSignInMethods')
    .admin(TAG, OWNERS)
    .summary('List the sign-in methods of an operator', 'Oldest first. Links and tokens are not listed.')
    .returns(200, signInMethodList)
    .refuses('not_found')
    .handle(async (app, { params }) => {
      const methods = await app.listSignInMethods(params.operatorId);
      return methods.ok ? items(methods.value) : methods;
    }),
  route
    .delete('/admin/operators/:operatorId/sign-in-methods/:methodId', 'deleteSignInMethod')
    .admin(TAG, OWNERS)
    .summary(
      'Remove a sign-in method of an operator',
      'The operator can no longer sign in with it. Sessions that it started continue until they end. An account is connected again by its verified email address.',
    )
    .returnsNothing()
    .refuses('not_found')
    .handle((app, { params }) => app.removeSignInMethod(params.operatorId, params.methodId)),
];
