import { route } from '../route.ts';
import { consoleCode } from './console-code.ts';

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
