import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { ConsoleSession } from '../../../http/answers.ts';
import { withIdPrefix } from '../../admin/id-prefix.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { textFlag, WIDE_FLAG, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import type { TableColumn } from '../../output/table.ts';

const holderOf = ({ operator }: ConsoleSession): string => operator?.name ?? 'Owner';

const COLUMNS: readonly TableColumn<ConsoleSession>[] = [
  { name: 'id', of: ({ id }) => id, kind: 'id' },
  { name: 'operator', of: holderOf },
  { name: 'started', of: ({ startedAt }) => startedAt, kind: 'time' },
  { name: 'address', of: ({ address }) => address, drop: 2 },
  { name: 'browser', of: ({ agent }) => agent, drop: 1 },
];

export const showSessions = adminCommand({
  docs: {
    brief: 'List the console sessions, or end one',
    about: 'A session that is ended is refused from its next request.',
    examples: ['tenon operators sessions', 'tenon operators sessions --end 019a3c5e --yes'],
  },
  flags: { end: textFlag('Id of the session to end, or its beginning', 'id'), yes: YES_FLAG, ...WIDE_FLAG },
  run: async ({ api, print, context }, { end, yes }) => {
    const { items } = await api.get<{ items: readonly ConsoleSession[] }>('/sessions');
    if (end === undefined) {
      print.list(items, COLUMNS);
      return;
    }
    const found = items.find(({ id }) => id === parseUuid(end)) ?? withIdPrefix(items, end);
    if (found === undefined) throw new CommandFailure(`There is no session ${end}. See tenon operators sessions.`, EXIT.notFound);
    await confirm(context, `This signs ${plain(holderOf(found))} out of the console.`, yes);
    await api.delete(`/sessions/${found.id}`);
    print.bare({ id: found.id }, found.id);
  },
});
