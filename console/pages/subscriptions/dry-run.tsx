import { api } from '../../api/client.ts';
import { paths } from '../../api/paths.ts';
import type { SubscriptionDryRun } from '../../api/types.ts';
import { Failure } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { isWhole, requestOf, type Content } from './subscription-fields.tsx';
import { plural } from '../../parts/plural.ts';
import { deliveriesText } from '../deliveries/words.ts';

/** Shows what a subscription with this content would have received of the newest events. */
export const DryRun = ({ storeId, content }: { readonly storeId: string; readonly content: Content }) => {
  const run = useAction({
    act: () => api.post<SubscriptionDryRun>(`${paths.ownSubscriptions(storeId)}?dryRun=1`, requestOf(content)),
    changes: [],
  });
  return (
    <div className="field">
      <button type="button" className="button" disabled={!isWhole(content) || run.isPending} onClick={() => run.mutate()}>
        Try it on the newest events
      </button>
      <div role="status">
        {run.data !== undefined && (
          <p>
            {run.data.gathered === 0
              ? `${run.data.sent} of the ${plural(run.data.events, 'newest event')} of these types would have been sent.`
              : `The ${plural(run.data.events, 'newest event')} of these types would have been ${deliveriesText(run.data.sent)}. ${plural(run.data.gathered, 'is', 'are')} in the delivery of another event.`}
          </p>
        )}
        {run.data?.stopped.map(({ number, condition, events }) => (
          <p key={number} className="mute">
            Condition {number} stopped {events}: <code>{JSON.stringify(condition)}</code>
          </p>
        ))}
        {run.error !== null && <Failure error={run.error} />}
      </div>
    </div>
  );
};
