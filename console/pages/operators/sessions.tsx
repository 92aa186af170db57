import { useQuery } from '@tanstack/react-query';

import { api } from '../../api/client.ts';
import type { ConsoleSession } from '../../api/types.ts';
import { Found } from '../../parts/found.tsx';
import { Panel } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAction } from '../../parts/use-action.ts';
import { browserOf } from './browser-of.ts';
import { sessionsQuery } from './queries.ts';

const EndSession = ({ session }: { readonly session: ConsoleSession }) => {
  const end = useAction({
    act: () => api.delete(`/sessions/${session.id}`),
    said: 'Session ended.',
    saysFailure: true,
    changes: ['console-sessions'],
  });
  return (
    <button type="button" className="button small" disabled={end.isPending} onClick={() => end.mutate()}>
      End
    </button>
  );
};

const COLUMNS: readonly Column<ConsoleSession>[] = [
  { name: 'Who', cell: ({ operator }) => <span className="clip">{operator?.name ?? 'Owner'}</span> },
  { name: 'From', kind: 'tight', cell: ({ address }) => address ?? <span className="mute">not known</span> },
  {
    name: 'Browser',
    cell: ({ agent }) => (
      <span className="clip mute" title={agent ?? undefined}>
        {agent === null ? 'not known' : browserOf(agent)}
      </span>
    ),
  },
  { name: 'Started', kind: 'time', cell: ({ startedAt }) => <Ago at={startedAt} /> },
  { name: '', kind: 'tight', cell: (session) => <EndSession session={session} /> },
];

/** Who is signed in now. Your own session is among them. */
export const Sessions = () => {
  const sessions = useQuery(sessionsQuery);
  return (
    <Panel title="Signed in now" isFlush>
      <Found query={sessions}>
        {({ items }) => <Table label="Sessions" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
      </Found>
    </Panel>
  );
};
