import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Empty } from './empty.tsx';
import { Found } from './found.tsx';
import { Table, type Column } from './table.tsx';

interface ListProps<T> {
  readonly label: string;
  readonly list: UseQueryResult<{ readonly items: readonly T[] }>;
  readonly columns: readonly Column<T>[];
  /** In place of the table where there are none: why, and what brings some. */
  readonly empty: { readonly title: string; readonly help: string };
  /** The id in the address of the page. */
  readonly open: string | undefined;
  /** Undefined closes what is open. */
  readonly onOpen: (id: string | undefined) => void;
  /** Drawer over the page. */
  readonly drawer: (row: T, onClose: () => void) => ReactNode;
}

/** A list of the whole server. The address of its page names the row that is open. */
export const OpeningList = <T extends { readonly id: string }>({
  label,
  list,
  columns,
  empty,
  open,
  onOpen,
  drawer,
}: ListProps<T>) => {
  const opened = list.data?.items.find(({ id }) => id === open);
  return (
    <>
      <Found query={list} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <div className="panel">
              <Empty title={empty.title}>{empty.help}</Empty>
            </div>
          ) : (
            <Table
              label={label}
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              openKey={open}
              onOpen={({ id }) => onOpen(id)}
            />
          )
        }
      </Found>
      {opened !== undefined && drawer(opened, () => onOpen(undefined))}
    </>
  );
};
