import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { storeQuery } from '../../api/queries.ts';
import type { AuditedChange } from '../../api/types.ts';
import { None, type Column } from '../../parts/table.tsx';
import { Ago } from '../../parts/time.tsx';
import { Result } from './result.tsx';
import { WAY, whyText } from './words.ts';

const StoreName = ({ storeId }: { readonly storeId: string }) => {
  const store = useQuery(storeQuery(storeId));
  return (
    <Link to="/stores/$storeId/changes" params={{ storeId }} className="clip">
      {store.data?.name ?? storeId.slice(0, 8)}
    </Link>
  );
};

const STORE: Column<AuditedChange> = {
  name: 'Store',
  cell: ({ storeId }) => (storeId === null ? <None /> : <StoreName storeId={storeId} />),
};

/** Each change names its store in the list of all stores. */
export const changeColumns = (isOfAll: boolean): readonly Column<AuditedChange>[] => [
  {
    name: 'Change',
    cell: ({ id, what, refusal }) => (
      <>
        <Link to="." search={(old) => ({ ...old, open: id })} resetScroll={false}>
          {what}
        </Link>
        {refusal && <span className="clip mute">{whyText(refusal)}</span>}
      </>
    ),
  },
  {
    name: 'By',
    cell: ({ operator, refusal, address }) => (
      <>
        <span className="clip">{operator}</span>
        {refusal && <span className="clip mute">{address}</span>}
      </>
    ),
  },
  ...(isOfAll ? [STORE] : []),
  { name: 'Over', kind: 'tight', cell: ({ way }) => WAY[way] },
  { name: 'Result', kind: 'tight', cell: ({ refusal, outcome }) => <Result refusal={refusal} outcome={outcome} /> },
  { name: 'When', kind: 'tight', cell: ({ at }) => <Ago at={at} /> },
];
