import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Choice } from '../../parts/field.tsx';
import { Found } from '../../parts/found.tsx';
import { Page } from '../../parts/page.tsx';
import { ChangeDrawer } from './change-drawer.tsx';
import { ChangeList } from './change-list.tsx';
import { changesQuery } from './queries.ts';
import type { ChangeOfSearch, ChangeSearch } from './search.ts';

const SHOWN = [
  ['all', 'All'],
  ['refused', 'Refused'],
] as const;

interface ChangesProps {
  readonly title: string;
  readonly intro: ReactNode;
  /** Undefined for all stores. */
  readonly storeId?: string;
  readonly search: ChangeSearch;
  readonly go: (change: ChangeOfSearch) => void;
}

/** Lists what operators changed or asked to change, and what was refused. */
export const Changes = ({ title, intro, storeId, search, go }: ChangesProps) => {
  const list = useQuery(changesQuery(storeId, search));
  const opened = list.data?.items.find(({ id }) => id === search.open);
  return (
    <Page
      title={title}
      intro={intro}
      actions={
        <Choice
          label="Changes"
          options={SHOWN}
          chosen={search.show ?? 'all'}
          onChange={(chosen) => go({ show: chosen === 'refused' ? chosen : undefined, after: undefined, open: undefined })}
        />
      }
    >
      <Found query={list} lines={8}>
        {(page) => <ChangeList isOfAll={storeId === undefined} page={page} search={search} go={go} />}
      </Found>
      {opened && <ChangeDrawer change={opened} onClose={() => go({ open: undefined })} />}
    </Page>
  );
};
