import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';

import { DeliveryBadge } from '../../parts/badge.tsx';
import { Id } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Skeleton } from '../../parts/empty.tsx';
import { Failure, messageOf, Notice } from '../../parts/notice.tsx';
import { Facts } from '../../parts/page.tsx';
import { Ago, Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toast.tsx';
import { Attempts } from './attempts.tsx';
import { deliveryQuery, redeliver } from './queries.ts';
import { ERRORS } from './words.ts';

interface DrawerProps {
  readonly deliveryId: string;
  readonly onClose: () => void;
}

/** One delivery: why it is where it is, each attempt, and a way to send it again. */
export const DeliveryDrawer = ({ deliveryId, onClose }: DrawerProps) => {
  const { storeId = '' } = useParams({ strict: false });
  const queries = useQueryClient();
  const toast = useToast();
  const found = useQuery(deliveryQuery(deliveryId));
  const again = useMutation({
    mutationFn: () => redeliver(deliveryId),
    onSuccess: () => {
      toast('ok', 'The delivery is sent again.');
      return queries.invalidateQueries({ queryKey: ['delivery', deliveryId] });
    },
    onError: (error) => toast('bad', messageOf(error)),
  });
  const delivery = found.data;
  return (
    <Dialog kind="drawer" title={delivery?.eventType ?? 'Delivery'} onClose={onClose}>
      {found.isPending && <Skeleton lines={6} />}
      {found.isError && <Failure error={found.error} retry={() => void found.refetch()} />}
      {delivery && (
        <>
          <div className="row">
            <DeliveryBadge status={delivery.status} />
            <span className="grow" />
            <button type="button" className="button primary" disabled={again.isPending} onClick={() => again.mutate()}>
              <RotateCw size={15} aria-hidden /> Send again
            </button>
          </div>
          {delivery.error !== null && delivery.status !== 'Delivered' && (
            <Notice tone={delivery.status === 'Failed' ? 'bad' : 'warn'} title={ERRORS[delivery.error].name}>
              {ERRORS[delivery.error].help}
            </Notice>
          )}
          <Facts
            facts={[
              ['Delivery', <Id key="d" value={delivery.id} />],
              [
                'Event',
                <Link key="e" to="/stores/$storeId/events" params={{ storeId }} search={{ open: delivery.eventId }}>
                  {delivery.eventId}
                </Link>,
              ],
              ['About', delivery.resourceId === null ? 'no resource' : <Id key="r" value={delivery.resourceId} />],
              ['Created', <Time key="c" at={delivery.createdAt} />],
              ...(delivery.nextAttemptAt === null
                ? []
                : [['Next attempt', <Ago key="n" at={delivery.nextAttemptAt} />] as const]),
            ]}
          />
          <section className="stack">
            <h3>Attempts</h3>
            <Attempts attempts={delivery.log} />
          </section>
        </>
      )}
    </Dialog>
  );
};
