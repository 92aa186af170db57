import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { ConsoleSession } from '../../../http/schemas/answers.ts';
import { beginningWith } from '../../admin/beginning.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { textFlag, WIDE_FLAG } from '../../flags.ts';
import type { Column } from '../../output/table.ts';

const COLUMNS: readonly Column<ConsoleSession>[] = [
  { name: 'id', of: ({ id }) => id, kind: 'id' },
  { name: 'operator', of: ({ operator }) => operator?.name ?? 'Owner' },
  { name: 'started', of: ({ startedAt }) => startedAt, kind: 'time' },
  { name: 'address', of: ({ address }) => address, drop: 2 },
  { name: 'browser', of: ({ agent }) => agent, drop: 1 },
];

export const showSessions = adminCommand({
  docs: {
    brief: 'List the console sessions, or end one',
    about: 'A session that is ended is refused from its next request.',
    examples: ['tenon operators sessions', 'tenon operators sessions --end 019a3c5e'],
  },
  flags: { end: textFlag('Id of the session to end, or its beginning', 'id'), ...WIDE_FLAG },
  run: async ({ api, print }, { end }) => {
    const { items } = await api.get<{ items: readonly ConsoleSession[] }>('/sessions');
    if (end === undefined) {
      print.list(items, COLUMNS);
      return;
    }
    const found = items.find(({ id }) => id === parseUuid(end)) ?? beginningWith(items, end);
    if (found === undefined) throw new CommandFailure(`There is no session ${end}. See tenon operators sessions.`, EXIT.notFound);
    await api.delete(`/sessions/${found.id}`);
    print.bare({ id: found.id }, found.id);
  },
});
