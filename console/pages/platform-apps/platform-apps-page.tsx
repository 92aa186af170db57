import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';

import type { PlatformApp } from '../../api/types.ts';
import { May } from '../../parts/may.tsx';
import { OpeningList } from '../../parts/opening-list.tsx';
import { Page } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { PlatformAppDrawer } from './platform-app-drawer.tsx';
import { platformAppsQuery } from './queries.ts';
import { RegisterApp } from './register-app.tsx';
import { PlatformAppBadge } from './status-badge.tsx';

const route = getRouteApi('/inside/platform-apps');

const COLUMNS: readonly Column<PlatformApp>[] = [
  { name: 'Status', kind: 'tight', cell: ({ status }) => <PlatformAppBadge status={status} /> },
  {
    name: 'App',
    cell: ({ id, name }) => (
      <Link to="/platform-apps" search={{ open: id }} className="clip" title={name}>
        {name}
      </Link>
    ),
  },
  {
    name: 'Asks for',
    cell: ({ scopes, optionalScopes }) => <span className="clip">{[...scopes, ...optionalScopes].join(' ')}</span>,
  },
  { name: 'Registered', kind: 'tight', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The apps that are made once, for every store. */
export const PlatformAppsPage = () => {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(platformAppsQuery);
  const show = (id: string | undefined): void => void navigate({ search: id === undefined ? {} : { open: id } });
  return (
    <Page
      title="Platform apps"
      intro="Apps that are registered once, and that each merchant may install."
      actions={
        <May everywhere>
          <RegisterApp onRegistered={show} />
        </May>
      }
    >
      <OpeningList
        label="Platform apps"
        list={list}
        columns={COLUMNS}
        empty={{
          title: 'No platform apps yet',
          help: 'Register one for an app that several merchants use. Each of them decides whether to install it.',
        }}
        open={open}
        onOpen={show}
        drawer={(app, onClose) => <PlatformAppDrawer app={app} onClose={onClose} />}
      />
    </Page>
  );
};
