import { z } from 'zod';

import { CREDENTIAL_PATTERNS } from '../../../domain/identity/token.ts';
import { LOGIN_CODE_EXAMPLE, EXAMPLE_TIME } from '../kit/example-record.ts';
import { route } from '../route.ts';

export const consoleCode = z
  .object({
    code: z.string().meta({ pattern: CREDENTIAL_PATTERNS.loginCode.source }),
    path: z.string().meta({ description: 'The path of the link, on the admin listener.' }),
    expiresAt: z.iso.datetime().meta({ description: '10 minutes after its creation.' }),
  })
  .meta({
    id: 'ConsoleCode',
    description: 'A login code for the console. It works once.',
    examples: [{ code: LOGIN_CODE_EXAMPLE, path: `/console/#code=${LOGIN_CODE_EXAMPLE}`, expiresAt: EXAMPLE_TIME }],
  });

export const appConsoleLink = z
  .object({
    url: z.url().meta({ description: 'The link for the developer of the app. Its fragment contains the login code.' }),
    expiresAt: z.iso.datetime().meta({ description: '10 minutes after its creation.' }),
  })
  .meta({
    id: 'AppConsoleLink',
    description: "A link that signs in to the app's console. It works once.",
    examples: [{ url: `https://shop.example.com/apps/console/#code=${LOGIN_CODE_EXAMPLE}`, expiresAt: EXAMPLE_TIME }],
  });

/**
 * A session must not reach these: it could make the code of the next session, and so never end.
 */
export const consoleRoutes = [
  route
    .post('/admin/console-codes', 'createConsoleCode')
    .admin('Console', { needs: 'viewer', stores: 'own' })
    .summary(
      'Create a login code for the console',
      'Creates a link that signs in to the console of the admin listener. It works once and for 10 minutes, and signs in the holder of the token that the request has. The link and its session end with this token. The newest 10 links of an operator are valid. A console session cannot create one.',
    )
    .returns(201, consoleCode)
    .refuses('unauthenticated')
    .handle((app, { actor, context }) => app.createConsoleCode(actor, context.operatorTokenId)),
];
