import { ok } from '../../../domain/result.ts';
import { route } from '../route.ts';
import { sessionList } from './operator.ts';
import { OWNERS } from '../kit/owners.ts';

export const sessionRoutes = [
  route
    .get('/admin/sessions', 'listSessions')
    .admin('Operators', OWNERS)
    .summary('List the console sessions', 'Lists the sessions of all operators that have not ended, newest first.')
    .returns(200, sessionList)
    .handle(async (app) => ok({ items: (await app.listConsoleSessions()).value })),
  route
    .delete('/admin/sessions/:sessionId', 'endSession')
    .admin('Operators', OWNERS)
    .summary('End a console session', 'The session is refused from the next request.')
    .returnsNothing()
    .refuses('not_found')
    .handle(async (app, { params, context }) => {
      const ended = await app.endConsoleSession(params.sessionId);
      await context.resources.live.judge();
      return ended;
    }),
];
