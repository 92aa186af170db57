import { z } from 'zod';

import { CREDENTIAL_PATTERNS, MAX_TRIAL_TOKEN_SECONDS } from '../../../domain/identity/token.ts';
import { ACCESS_TOKEN_EXAMPLE } from '../kit/credential-examples.ts';

export const trialTokenRequest = z.object({ ttlSeconds: z.int().min(1).max(MAX_TRIAL_TOKEN_SECONDS).optional() }).meta({
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
