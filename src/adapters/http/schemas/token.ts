import { z } from 'zod';

import { CREDENTIAL_PATTERNS } from '../../../domain/identity/token.ts';
import { numericLimit } from './limits.ts';
import { ACCESS_TOKEN_EXAMPLE, CREDENTIAL_EXAMPLES } from './credential-examples.ts';

const pattern = (kind: keyof typeof CREDENTIAL_PATTERNS): string => CREDENTIAL_PATTERNS[kind].source;

export const tokenForm = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: z
      .string()
      .optional()
      .meta({ pattern: pattern('clientId'), description: 'Left out with HTTP Basic.' }),
    client_secret: z
      .string()
      .optional()
      .meta({ pattern: pattern('clientSecret'), description: 'Left out with HTTP Basic.' }),
  })
  .meta({
    id: 'TokenRequest',
    description: 'Each field once. The credentials here or in HTTP Basic (RFC 6749 2.3.1), not in both.',
    examples: [
      {
        grant_type: 'client_credentials',
        client_id: CREDENTIAL_EXAMPLES.clientId,
        client_secret: CREDENTIAL_EXAMPLES.clientSecret,
      },
    ],
  });

export const tokenResponse = z
  .object({
    accessToken: z.string().meta({ pattern: pattern('accessToken') }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().meta({ description: 'Seconds. There is no refresh token: exchange again before it ends.' }),
    scope: z
      .string()
      .meta({ description: 'What can be used now: sorted, separated by spaces. A write_ scope includes its read_ scope.' }),
    scopeNotYetEnforced: z.string().meta({ description: 'Granted, but honoured by no endpoint yet; may be empty.' }),
  })
  .meta({
    id: 'TokenResponse',
    examples: [
      {
        accessToken: ACCESS_TOKEN_EXAMPLE,
        tokenType: 'Bearer',
        expiresIn: numericLimit('accessTokenSeconds'),
        scope: 'read_products write_products',
        scopeNotYetEnforced: '',
      },
    ],
  });
