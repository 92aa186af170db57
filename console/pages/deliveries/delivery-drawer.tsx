import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { RotateCw } from '../../icons/index.ts';
import { isHold } from '../../../src/adapters/http/console/shared.ts';
import { DeliveryBadge } from '../../parts/badge.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Found } from '../../parts/found.tsx';
import { May } from '../../parts/may.tsx';
import { useToast } from '../../parts/toast.tsx';
import { NotShown } from '../events/not-shown.tsx';
import { EventBody } from '../events/event-body.tsx';
import { sentEventQuery } from '../events/queries.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { deliveryQuery } from './queries.ts';
import { sendAgain } from './send-again.ts';
import { Standing } from './standing.tsx';

const Body = ({ storeId, eventId }: { readonly storeId: string; readonly eventId: string }) => {
  const event = useQuery(sentEventQuery(storeId, eventId));
  return (
    <section className="stack">
      <h3>Body as sent</h3>
      <Found query={event} lines={5}>
        {(sent) => <EventBody event={sent} />}
      </Found>
    </section>
  );
};

interface DrawerProps {
  readonly storeId: string;
  readonly deliveryId: string;
  readonly onClose: () => void;
}

/** Shows a delivery: its state and the reason, each attempt, its content, and a way to send it again. */
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
  return (
    <Dialog kind="drawer" title={found.data?.eventType ?? 'Delivery'} onClose={onClose}>
      <Found query={found} lines={6} failed={(error, retry) => <NotShown error={error} what="delivery" retry={retry} />}>
        {(delivery) => (
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
      </Found>
    </Dialog>
  );
};
