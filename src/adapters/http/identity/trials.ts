import { z } from 'zod';

import { CREDENTIAL_PATTERNS, MAX_TRIAL_TOKEN_SECONDS } from '../../../domain/identity/token.ts';
import { refuse } from '../../../domain/result.ts';
import { mapOf } from '../kit/bounded.ts';
import { ACCESS_TOKEN_EXAMPLE } from '../kit/example-record.ts';
import { textOf } from '../kit/text.ts';
import { route } from '../route.ts';
import { TRIAL_MS } from '../trial/own-api.ts';

const TRIAL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Headers that the routes of the app API read. No other header reaches them. */
const TRIAL_HEADERS = ['accept', 'authorization', 'content-type', 'idempotency-key', 'if-none-match'] as const;

const MAX_PATH = 8_192;
const MAX_HEADER = 1_024;

const PATH = /^\/(?:apps|custom-data)\/[\x21-\x7e]*$/;

/** A path that a proxy or a client would rewrite is not the one that was asked for. */
const isPlain = (path: string): boolean => {
  const [before = ''] = path.split('?', 1);
  return !path.includes('#') && !path.includes('\\') && !/\/(?:\.{0,2})\//.test(before) && !/\/\.{1,2}$/.test(before);
};

const path = textOf({ max: MAX_PATH })
  .regex(PATH, 'must begin with /apps/ or /custom-data/, and have only printable ASCII characters without spaces')
  .refine(isPlain, 'must not contain //, /./, /../, # or a backslash')
  .meta({ description: 'A path of the app API, with its query. It begins with /apps/ or /custom-data/.' });

const value = textOf({ max: MAX_HEADER }).regex(/^[\x20-\x7e]*$/, 'must have only printable ASCII characters');

const headers = mapOf(value, { max: TRIAL_HEADERS.length })
  .superRefine((given, context) => {
    const seen = new Set<string>();
    for (const name of Object.keys(given)) {
      const lower = name.toLowerCase();
      const fault = (message: string) => context.addIssue({ code: 'custom', message, path: [name], input: given });
      if (!(TRIAL_HEADERS as readonly string[]).includes(lower)) fault(`must be one of ${TRIAL_HEADERS.join(', ')}`);
      else if (seen.has(lower)) fault('appears more than once in this request');
      seen.add(lower);
    }
  })
  .transform((given) => Object.fromEntries(Object.entries(given).map(([name, text]) => [name.toLowerCase(), text])))
  .meta({ description: `Allowed headers: ${TRIAL_HEADERS.join(', ')}.` });

const trialRequest = z
  .object({
    method: z.enum(TRIAL_METHODS),
    path,
    headers: headers.optional(),
    body: z.string().optional().meta({ description: 'The body, which is sent unchanged.' }),
  })
  .transform(({ headers: given = {}, body = null, ...request }) => ({ ...request, headers: given, body }))
  .meta({
    id: 'TrialRequest',
    examples: [
      {
        method: 'POST',
        path: '/apps/catalog/products/bulk',
        headers: { authorization: 'Bearer <access token>', 'content-type': 'application/json', 'idempotency-key': 'try-1' },
        body: '{"products":[{"id":"019a0000-0000-7000-8000-000000000001","name":"Block plane"}]}',
      },
    ],
  });

export const trialResponse = z
  .object({
    status: z.int(),
    headers: z.record(z.string(), z.string()).meta({ description: 'Header names are in lower case.' }),
    body: z.string().meta({ description: 'At most the first 1 MiB of the body.' }),
    isTruncated: z.boolean().meta({ description: 'True if the body was truncated.' }),
    durationMs: z.number().meta({ description: 'From the first byte of the request to the last byte of the response.' }),
    requestId: z.string().nullable().meta({ description: 'The X-Request-Id of the response.' }),
    curl: z.string().meta({ description: 'The same request as a shell command, with $TOKEN in place of the token.' }),
  })
  .meta({
    id: 'TrialResponse',
    examples: [
      {
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8', 'idempotent-replay': 'true' },
        body: '{"total":1,"succeeded":1,"failed":0,"results":[]}',
        isTruncated: false,
        durationMs: 7.4,
        requestId: '019a0000-0000-4000-8000-000000000062',
        curl: "curl -sS -X POST -H 'Host: demo.example' -H \"Authorization: Bearer $TOKEN\" 'http://127.0.0.1:4000/apps/catalog/products/bulk'",
      },
    ],
  });

const trialTokenRequest = z.object({ ttlSeconds: z.int().min(1).max(MAX_TRIAL_TOKEN_SECONDS).optional() }).meta({
  id: 'TrialTokenRequest',
  description: `ttlSeconds is the lifetime of the token in seconds. Default and maximum: ${MAX_TRIAL_TOKEN_SECONDS}.`,
  examples: [{ ttlSeconds: 600 }],
});

export const trialToken = z
  .object({
    accessToken: z.string().meta({ pattern: CREDENTIAL_PATTERNS.accessToken.source }),
    expiresIn: z.int().meta({ description: 'Lifetime in seconds.' }),
    scopes: z.array(z.string()).readonly().meta({ description: 'The scopes that can be used now, sorted.' }),
  })
  .meta({
    id: 'TrialToken',
    description: 'The token is shown only once.',
    examples: [{ accessToken: ACCESS_TOKEN_EXAMPLE, expiresIn: 600, scopes: ['read_products', 'write_products'] }],
  });

/** The app API, tried by the merchant as an app would call it. */
export const trialRoutes = [
  route
    .post('/admin/apps/:installationId/tokens', 'createTrialToken')
    .admin('Apps')
    .summary(
      'Create a token to try the API',
      'Creates a token with the scopes of the app, valid for at most ten minutes. It is shown once. Returns 409 if the app is suspended or uninstalled, or if its store is not active.',
    )
    .body(trialTokenRequest)
    .returns(201, trialToken)
    .refuses('not_found', 'conflict')
    .handle((app, { params, body }) => app.issueTrialToken(params.installationId, body.ttlSeconds)),
  route
    .post('/admin/apps/:installationId/try', 'tryRequest')
    .admin('Apps')
    .summary(
      'Try a request to the app API',
      "Sends the request to this node's app API on the domain of the app's store, with only the headers that you give, and returns the response. It is counted and logged like any other request. Returns 409 on a node without an app API (ROLE=worker).",
    )
    .body(trialRequest)
    .returns(200, trialResponse)
    .refuses('not_found', 'conflict', 'unavailable')
    .handle(async (app, { params, body, context }) => {
      const installation = await app.getInstallation(params.installationId);
      if (!installation.ok) return installation;
      const store = await app.getStore(installation.value.storeId);
      if (!store.ok) return store;
      const { ownApi } = context.resources;
      if (ownApi === null) {
        return refuse('conflict', 'This node has no app API, because its ROLE is worker. Send the request to another node.');
      }
      context.mayTake(TRIAL_MS / 1000);
      return ownApi.send({ ...body, domain: store.value.domain }, context.left);
    }),
];
