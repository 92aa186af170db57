import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';

import type { Operator } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { Page } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
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
  const opened = list.data?.items.find(({ id }) => id === open);
  const show = (id: string | undefined): void => void navigate({ search: id === undefined ? {} : { open: id } });
  return (
    <Page
      title="Operators"
      intro="Who may see and change your stores, beside the holder of the admin token?"
      actions={<AddOperator onAdded={show} />}
    >
      <Found query={list} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <div className="panel">
              <Empty title="No operators yet">
                Add one for each colleague and each machine. Each has a role and its own way in, and its changes bear its name.
              </Empty>
            </div>
          ) : (
            <Table
              label="Operators"
              columns={COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
              openKey={open}
              onOpen={({ id }) => show(id)}
            />
          )
        }
      </Found>
      <Sessions />
      {opened !== undefined && <OperatorDrawer operator={opened} onClose={() => show(undefined)} />}
    </Page>
  );
};
