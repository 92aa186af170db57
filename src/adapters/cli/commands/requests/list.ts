import { LOGGED_METHODS } from '../../../../domain/insight/refused-request.ts';
import { whyRefused } from '../../../../domain/insight/refusals/why-refused.ts';
import type { RefusedRequest } from '../../../http/answers.ts';
import { findScope } from '../../admin/find.ts';
import { firstItems } from '../../admin/lists.ts';
import { adminCommand } from '../../command.ts';
import { APP_FLAG, choiceFlag, LIMIT_FLAG, STORE_FLAG, textFlag, timeFlag, WIDE_FLAG } from '../../flags.ts';

export const listRequests = adminCommand({
  docs: {
    brief: 'List refused app requests, newest first',
    about: 'Lists the requests that were answered with 4xx or 5xx. tenon requests why explains one of them.',
    examples: ['tenon requests list --since 1h', 'tenon requests list --app "Stock sync" --status 403'],
  },
  flags: {
    store: STORE_FLAG,
    app: APP_FLAG,
    status: textFlag('Only this status, such as 403', 'status'),
    method: { ...choiceFlag(LOGGED_METHODS, 'Only requests with this method'), optional: true },
    route: textFlag('Only this route: a path, or a method and a path', 'route'),
    since: timeFlag('Received since'),
    limit: LIMIT_FLAG,
    ...WIDE_FLAG,
  },
  run: async ({ api, print }, { store, app, status, method, route, since, limit }) => {
    const { storeId, installationId } = await findScope(api, { store, app });
    const query = { installationId, status, method, route, since };
    print.list(await firstItems<RefusedRequest>(api, `/stores/${storeId}/requests`, query, limit), [
      { name: 'id', of: ({ id }) => id, kind: 'id' },
      { name: 'at', of: ({ at }) => at, kind: 'time' },
      { name: 'status', of: (request) => request.status, align: 'right' },
      { name: 'reason', of: (request) => whyRefused(request).name, kind: 'whole' },
      { name: 'route', of: (request) => request.route, drop: 2 },
      { name: 'app', of: (request) => request.installationId, kind: 'id', drop: 1 },
    ]);
  },
});
