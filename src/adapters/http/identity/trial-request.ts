import { z } from 'zod';

import { mapOf } from '../kit/bounded.ts';
import { textOf } from '../kit/text.ts';

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

export const trialRequest = z
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
