import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { RotateCw } from '../../icons/index.ts';
import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { RedeliveredMatching } from '../../api/types.ts';
import { FormDialog } from '../../parts/form.tsx';
import { Found } from '../../parts/found.tsx';
import { messageOf } from '../../parts/notice.tsx';
import { useToast } from '../../parts/toast.tsx';
import { Counted, countText, isNothing } from './counted.tsx';
import { filterOf, isFiltered, type DeliverySearch } from './search.ts';

interface RedeliverProps {
  readonly storeId: string;
  readonly search: DeliverySearch;
  /** With the id of the redelivery that has begun. */
  readonly onBegun: (redeliveryId: string) => void;
}

const Ask = ({ storeId, search, onBegun, onClose }: RedeliverProps & { readonly onClose: () => void }) => {
  const queries = useQueryClient();
  const toast = useToast();
  const path = paths.redeliverMatching(storeId);
  const count = useQuery({
    queryKey: ['redeliver-count', storeId, search],
    queryFn: () => api.post<RedeliveredMatching>(path, { ...filterOf(search), dryRun: true }),
    gcTime: 0,
    staleTime: 0,
  });
  const send = useMutation({
    mutationFn: () => api.post<RedeliveredMatching>(path, filterOf(search)),
    onSuccess: (sent) => {
      onClose();
      if (sent.id === null) toast('ok', 'No delivery matches the filter anymore.');
      else onBegun(sent.id);
      return queries.invalidateQueries({ queryKey: ['deliveries', storeId] });
    },
    onError: (error) => toast('bad', messageOf(error)),
  });
  const matching = count.data;
  return (
    <FormDialog
      title="Redeliver all that match the filter"
      action={matching ? `Queue ${countText(matching)} again` : 'Queue again'}
      isBusy={send.isPending}
      isDisabled={!matching || isNothing(matching)}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <Found query={count} lines={2}>
        {(counted) => <Counted counted={counted} />}
      </Found>
    </FormDialog>
  );
};

/** Sends again everything that the filter matches: the count first. */
export const RedeliverAll = (props: RedeliverProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" disabled={!isFiltered(props.search)} onClick={() => setOpen(true)}>
        <RotateCw size={15} aria-hidden /> Send all again
      </button>
      {isOpen && <Ask {...props} onClose={() => setOpen(false)} />}
    </>
  );
};
