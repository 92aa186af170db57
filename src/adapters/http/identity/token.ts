import { z } from 'zod';

import { CREDENTIAL_PATTERNS } from '../../../domain/identity/token.ts';
import { numericLimit } from '../kit/limits.ts';
import { ACCESS_TOKEN_EXAMPLE, CREDENTIAL_EXAMPLES } from '../kit/credential-examples.ts';

const pattern = (kind: keyof typeof CREDENTIAL_PATTERNS): string => CREDENTIAL_PATTERNS[kind].source;

export const tokenForm = z
  .object({
    grant_type: z.literal('client_credentials'),
    client_id: z
      .string()
      .optional()
      .meta({ pattern: pattern('clientId'), description: 'Omit it with HTTP Basic.' }),
    client_secret: z
      .string()
      .optional()
      .meta({ pattern: pattern('clientSecret'), description: 'Omit it with HTTP Basic.' }),
  })
  .meta({
    id: 'TokenRequest',
    description: 'Each field may appear once. Send the credentials here or with HTTP Basic (RFC 6749, section 2.3.1), not both.',
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
    expiresIn: z
      .int()
      .meta({ description: 'Lifetime in seconds. There is no refresh token: request a new token before this one expires.' }),
    scope: z.string().meta({
      description: 'The scopes that can be used now, sorted and separated by spaces. A write_ scope includes its read_ scope.',
    }),
    scopeNotYetEnforced: z.string().meta({ description: 'Granted scopes that no endpoint uses yet. May be empty.' }),
    access_token: z.string().meta({ description: 'The same as `accessToken`, for OAuth 2.0 libraries.' }),
    token_type: z.literal('Bearer').meta({ description: 'The same as `tokenType`.' }),
    expires_in: z.int().meta({ description: 'The same as `expiresIn`.' }),
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
        access_token: ACCESS_TOKEN_EXAMPLE,
        token_type: 'Bearer',
        expires_in: numericLimit('accessTokenSeconds'),
      },
    ],
  });
