import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { RotateCw } from '../../icons/index.ts';
import { isHold } from '../../../src/domain/webhooks/why-waiting.ts';
import { DeliveryBadge } from '../../parts/badge.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Skeleton } from '../../parts/empty.tsx';
import { May } from '../../parts/may.tsx';
import { Failure } from '../../parts/notice.tsx';
import { useToast } from '../../parts/toast.tsx';
import { NotShown } from '../events/not-shown.tsx';
import { EventBody } from '../events/event-body.tsx';
import { sentEventQuery } from '../events/queries.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { deliveryQuery } from './queries.ts';
import { sendAgain } from './send-again.ts';
import { Standing } from './standing.tsx';

/** The body that is sent with each attempt. */
const Body = ({ storeId, eventId }: { readonly storeId: string; readonly eventId: string }) => {
  const event = useQuery(sentEventQuery(storeId, eventId));
  return (
    <section className="stack">
      <h3>Body as sent</h3>
      {event.isPending && <Skeleton lines={5} />}
      {event.isError && <Failure error={event.error} retry={() => void event.refetch()} />}
      {event.data && <EventBody event={event.data} />}
    </section>
  );
};

interface DrawerProps {
  readonly storeId: string;
  readonly deliveryId: string;
  readonly onClose: () => void;
}

/** One delivery: where it is and why, each attempt, what was sent, and a way to send it again. */
export const DeliveryDrawer = ({ storeId, deliveryId, onClose }: DrawerProps) => {
  const queries = useQueryClient();
  const toast = useToast();
  const found = useQuery(deliveryQuery(deliveryId));
  const again = useMutation({
    mutationFn: () => sendAgain(deliveryId),
    onSuccess: ({ kind, text }) => {
      toast(kind === 'delivered' ? 'ok' : 'bad', text);
      return queries.invalidateQueries({ queryKey: ['delivery', deliveryId] });
    },
  });
  const delivery = found.data;
  return (
    <Dialog kind="drawer" title={delivery?.eventType ?? 'Delivery'} onClose={onClose}>
      {found.isPending && <Skeleton lines={6} />}
      {found.isError && <NotShown error={found.error} what="delivery" retry={() => void found.refetch()} />}
      {delivery && (
        <>
          <div className="row">
            <DeliveryBadge status={delivery.status} waitingBecause={delivery.waitingBecause} />
            <span className="grow" />
            <May>
              <button
                type="button"
                className="button primary"
                disabled={again.isPending || isHold(delivery.waitingBecause)}
                onClick={() => again.mutate()}
              >
                <RotateCw size={15} aria-hidden /> {again.isPending ? 'Sending' : 'Send again'}
              </button>
            </May>
          </div>
          <Standing storeId={storeId} delivery={delivery} />
          <DeliveryFacts storeId={storeId} delivery={delivery} />
          <section className="stack">
            <h3>Attempts</h3>
            <Attempts delivery={delivery} />
          </section>
          <Body storeId={storeId} eventId={delivery.eventId} />
        </>
      )}
    </Dialog>
  );
};
