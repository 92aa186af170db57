import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';

import { Select } from '../../parts/field.tsx';
import { LiveSwitch } from '../../parts/live-switch.tsx';
import { messageOf } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import type { EventChange, EventSearch } from '../events/search.ts';
import { TYPE_OPTIONS } from '../events/type-options.ts';
import { FeedEvent } from './feed-event.tsx';
import { FeedList } from './feed-list.tsx';
import { feedQuery, readNewestPlace } from './feed-queries.ts';

const route = getRouteApi('/inside/stores/$storeId/events');

/** The feed of events as the app reads it: in its order, each once. */
export const FeedPage = () => {
  const { storeId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const toast = useToast();
  const [isLive, setLive] = useState(true);
  const page = useQuery(feedQuery({ types: search.types, after: search.after }, isLive));
  const go = (change: EventChange): void =>
    void navigate({ search: (old) => ({ ...old, ...change }) as EventSearch, resetScroll: false });
  const newest = useMutation({
    mutationFn: readNewestPlace,
    onSuccess: (after) => go({ after }),
    onError: (error) => toast('bad', messageOf(error)),
  });
  return (
    <Page
      title="Events"
      intro="The events that your app may see, in feed order as GET /apps/events returns them: oldest first."
      actions={<LiveSwitch isOn={isLive} state="open" onChange={setLive} />}
    >
      <div className="row">
        <Select
          label="Type"
          options={TYPE_OPTIONS}
          chosen={search.types ?? ''}
          onChange={(types) => go({ types: types || undefined, after: undefined })}
        />
        <button type="button" className="button" disabled={newest.isPending} onClick={() => newest.mutate()}>
          Wait for the next event
        </button>
      </div>
      <FeedList storeId={storeId} page={page} search={search} go={go} />
      {search.open !== undefined && <FeedEvent storeId={storeId} eventId={search.open} onClose={() => go({ open: undefined })} />}
    </Page>
  );
};
