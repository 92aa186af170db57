import type { DeliveryRepository } from '../../../domain/ports/delivery-repository.ts';
import { failed, fine, warning } from './finding.ts';
import type { Found } from './finding.ts';

type Deliveries = Pick<DeliveryRepository, 'figures'>;

const LATE_SECONDS = 60;
/** As the invariant `deliveries_served` has it. */
const FORGOTTEN_SECONDS = 300;

/** Whether deliveries are sent when they are due. */
export const checkDue = async (deliveries: Deliveries): Promise<Found> => {
  const { queued, oldestDueSeconds } = await deliveries.figures();
  const message = `${String(queued)} deliveries are queued, the oldest has been due for ${String(Math.round(oldestDueSeconds))} s`;
  if (oldestDueSeconds < LATE_SECONDS) return fine(message);
  const remedy = 'Check that a node with ROLE=all or ROLE=worker runs, and read its log. More workers send more at once.';
  return oldestDueSeconds < FORGOTTEN_SECONDS ? warning(message, remedy) : failed(message, remedy);
};

/** Receivers that fail. Their deliveries wait, and nothing else does. */
export const checkBreakers = async (deliveries: Deliveries): Promise<Found> => {
  const { openBreakers } = await deliveries.figures();
  return openBreakers === 0
    ? fine('no receiver fails')
    : warning(
        `${String(openBreakers)} receivers have failed ten times in a row`,
        'See who with tenon subscriptions list. Once the receiver works, tenon deliveries redeliver sends again what failed.',
      );
};
