import { impactText } from '../../../domain/insight/impact-text.ts';
import { MAX_QUEUED_COUNTED, type DeliveryRepository } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { failed, fine, warning, type Found } from '../../storage/finding.ts';

type Deliveries = Pick<DeliveryRepository, 'figures'>;

const LATE_SECONDS = 60;
/** As the invariant `deliveries_served` has it. */
const FORGOTTEN_SECONDS = 300;

export const checkDue = async (deliveries: Deliveries): Promise<Found> => {
  const { queued, oldestDueSeconds } = await deliveries.figures(MAX_QUEUED_COUNTED);
  const message = `${queued === MAX_QUEUED_COUNTED ? 'at least ' : ''}${impactText({ count: queued, of: 'deliveries' })} ${queued === 1 ? 'is' : 'are'} queued, the oldest has been due for ${String(Math.round(oldestDueSeconds))} s`;
  if (oldestDueSeconds < LATE_SECONDS) return fine(message);
  const remedy = 'Check that a node with ROLE=all or ROLE=worker runs, and read its log. More workers send more at once.';
  return oldestDueSeconds < FORGOTTEN_SECONDS ? warning(message, remedy) : failed(message, remedy);
};

export const checkBreakers = async (deliveries: Deliveries): Promise<Found> => {
  const { openBreakers } = await deliveries.figures(MAX_QUEUED_COUNTED);
  return openBreakers === 0
    ? fine('no receiver fails')
    : warning(
        `${impactText({ count: openBreakers, of: 'receivers' })} ${openBreakers === 1 ? 'has' : 'have'} failed ten times in a row`,
        'See tenon subscriptions list. Once a receiver works, tenon subscriptions try sends what waits for it. What has failed for good is sent again by tenon deliveries redeliver.',
      );
};
