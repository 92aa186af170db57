import { whyRefused } from '../../../../domain/insight/refusals/why-refused.ts';
import { LOGGED_METHODS } from '../../../../domain/insight/refused-request.ts';
import type { RefusedRequest } from '../../../http/answers.ts';
import { findScope } from '../../admin/find.ts';
import { firstItems } from '../../admin/lists.ts';
import { watchLive } from '../../admin/live.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { APP_FLAG, choiceFlag, LIMIT_FLAG, STORE_FLAG, textFlag, timeFlag, WIDE_FLAG } from '../../flags.ts';
import { timeOfDay } from '../../output/time.ts';

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

/** `404`, or a class such as `4xx`. */
const parseStatus = (text: string): RegExp => {
  if (!/^[45](\d\d|xx)$/i.test(text)) throw new CommandFailure('expected a status such as 404, 4xx or 5xx', EXIT.usage);
  return new RegExp(`^${text.replace(/x/gi, '.')}$`);
};

export const tailRequests = adminCommand({
  docs: {
    brief: 'Watch refused app requests as they happen',
    about: 'Starts now and runs until Ctrl-C.',
    examples: ['tenon requests tail --status 4xx --app "Stock sync"'],
  },
  flags: {
    store: STORE_FLAG,
    app: APP_FLAG,
    status: {
      kind: 'parsed',
      parse: parseStatus,
      optional: true,
      placeholder: 'status',
      brief: 'Only this status, such as 403 or 4xx',
    },
  },
  run: async ({ api, print, context }, { status: wanted, ...scope }) => {
    const { storeId, installationId } = await findScope(api, scope);
    for await (const frame of watchLive(api, storeId, { signal: context.interrupted(), say: print.say })) {
      if (frame.kind !== 'refusal' || wanted?.test(String(frame.status)) === false) continue;
      if (installationId !== undefined && frame.installationId !== installationId) continue;
      const status = { text: String(frame.status), style: frame.status < 500 ? 'yellow' : 'red' } as const;
      print.line(frame, [timeOfDay(frame.at), status, frame.route, frame.reason, frame.requestId]);
    }
  },
});
