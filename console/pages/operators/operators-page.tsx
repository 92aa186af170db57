import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';

import type { Operator } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { OpeningList } from '../../parts/opening-list.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { AddOperator } from './add-operator.tsx';
import { OperatorDrawer } from './operator-drawer.tsx';
import { operatorsQuery } from './queries.ts';
import { Sessions } from './sessions.tsx';
import { ROLE, storesText } from './words.ts';

const route = getRouteApi('/inside/operators');

const COLUMNS: readonly Column<Operator>[] = [
  {
    name: 'State',
    kind: 'tight',
    cell: ({ endedAt }) => <Badge tone={endedAt === null ? 'ok' : 'mute'}>{endedAt === null ? 'Active' : 'Ended'}</Badge>,
  },
  {
    name: 'Operator',
    cell: ({ id, name, email }) => (
      <>
        <Link to="/operators" search={{ open: id }} className="clip" title={name}>
          {name}
        </Link>
        {email !== null && <span className="clip mute">{email}</span>}
      </>
    ),
  },
  { name: 'Role', kind: 'tight', cell: ({ role }) => ROLE[role].name },
  { name: 'Stores', kind: 'tight', cell: storesText },
  { name: 'Added', kind: 'time', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The people and machines beside the holder of the admin token. */
export const OperatorsPage = () => {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(operatorsQuery);
  const show = (id: string | undefined): void => void navigate({ search: id === undefined ? {} : { open: id } });
  return (
    <Page
      title="Operators"
      intro="Who may see and change your stores, beside the holder of the admin token?"
      actions={<AddOperator onAdded={show} />}
    >
      <OpeningList
        label="Operators"
        list={list}
        columns={COLUMNS}
        empty={{
          title: 'No operators yet',
          help: 'Add one for each colleague and each machine. Each has a role and its own way in, and its changes bear its name.',
        }}
        open={open}
        onOpen={show}
        drawer={(operator, onClose) => <OperatorDrawer operator={operator} onClose={onClose} />}
      />
      <Sessions />
    </Page>
  );
};
