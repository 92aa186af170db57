import { z } from 'zod';

import { CREDENTIAL_PATTERNS } from '../../../domain/identity/token.ts';
import { LOGIN_CODE_EXAMPLE } from './credential-examples.ts';
import { EXAMPLE_TIME } from './example-record.ts';

export const consoleCode = z
  .object({
    code: z.string().meta({ pattern: CREDENTIAL_PATTERNS.loginCode.source }),
    path: z.string().meta({ description: 'The link to open, on the address of the admin listener.' }),
    expiresAt: z.iso.datetime().meta({ description: '10 minutes from now.' }),
  })
  .meta({
    id: 'ConsoleCode',
    description: 'A login code of the console. It signs in once.',
    examples: [{ code: LOGIN_CODE_EXAMPLE, path: `/console/#code=${LOGIN_CODE_EXAMPLE}`, expiresAt: EXAMPLE_TIME }],
  });

export const appConsoleLink = z
  .object({
    url: z.url().meta({ description: 'The link to give to a developer of the app. Its fragment has the login code.' }),
    expiresAt: z.iso.datetime().meta({ description: '10 minutes from now.' }),
  })
  .meta({
    id: 'AppConsoleLink',
    description: "A link to the app's console. It signs in once.",
    examples: [{ url: `https://shop.example.com/apps/console/#code=${LOGIN_CODE_EXAMPLE}`, expiresAt: EXAMPLE_TIME }],
  });
