import { findScope } from '../../admin/find.ts';
import { watchLive } from '../../admin/live.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { APP_FLAG, STORE_FLAG } from '../../flags.ts';
import { timeOfDay } from '../../output/time.ts';

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
