import { impactText } from '../../../domain/insight/impact-text.ts';
import { MAX_QUEUED_COUNTED, type DeliveryRepository } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { plural } from '../../../domain/values/plural.ts';
import { failed, fine, warning, type Found } from '../../storage/finding.ts';

type Deliveries = Pick<DeliveryRepository, 'figures'>;

const LATE_SECONDS = 60;
/** As the invariant `deliveries_served` has it. */
const FORGOTTEN_SECONDS = 300;

const counted = (count: number, one: string, many: string): string =>
  `${count === MAX_QUEUED_COUNTED ? 'at least ' : ''}${plural(count, one, many, String(count))}`;

export const checkDue = async (deliveries: Deliveries): Promise<Found> => {
  const { queued, waitingEvents, oldestDueSeconds } = await deliveries.figures(MAX_QUEUED_COUNTED);
  const waiting =
    waitingEvents === 0 ? '' : ` and ${counted(waitingEvents, 'event waits for its', 'events wait for their')} fan-out`;
  const message = `${counted(queued, 'delivery is', 'deliveries are')} queued${waiting}, the oldest has been due for ${String(Math.round(oldestDueSeconds))} s`;
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
