import { impactText } from '../../../domain/insight/impact-text.ts';
import { MAX_QUEUED_COUNTED, type DeliveryRepository } from '../../../domain/ports/webhooks/delivery-repository.ts';
import { LIVE_SECONDS, liveProcesses, workState } from '../../../domain/insight/processes.ts';
import type { Processes } from '../../../domain/ports/insight/processes.ts';
import { plural } from '../../../domain/values/plural.ts';
import { failed, fine, skipped, warning, type UnnamedFinding } from '../../storage/finding.ts';

/** Judges what the processes say of themselves. Before the first start, and while no node runs, there is nothing to judge. */
export const checkWorkers = async ({ list }: Pick<Processes, 'list'>): Promise<UnnamedFinding> => {
  const all = await list();
  const live = liveProcesses(all.seen);
  const { workers, secondsWithout, lateTasks } = workState(all);
  if (live.length === 0 || workers === null)
    return skipped(workers === null ? 'processes of an older version run' : 'no node runs now');
  if (secondsWithout !== null) {
    const say = secondsWithout < LIVE_SECONDS ? warning : failed;
    return say(
      `no worker has run for ${secondsWithout.toFixed(0)} s`,
      'Start a node with ROLE=all or ROLE=worker. Webhooks and images wait for one.',
    );
  }
  const late = lateTasks.map(({ name, seconds }) => `${name} has not succeeded for ${seconds.toFixed(0)} s`);
  if (late.length > 0) return failed(late.join('; '), 'Read the log of the workers.');
  return fine(
    `${plural(live.length, 'process runs', 'processes run')}, ${plural(workers, 'of them a worker', 'of them workers')}`,
  );
};

type Deliveries = Pick<DeliveryRepository, 'figures'>;

const LATE_SECONDS = 60;
/** Equals the limit of the invariant `deliveries_served`. */
const FORGOTTEN_SECONDS = 300;

const counted = (count: number, one: string, many: string): string =>
  `${count === MAX_QUEUED_COUNTED ? 'at least ' : ''}${plural(count, one, many, String(count))}`;

export const checkDue = async (deliveries: Deliveries): Promise<UnnamedFinding> => {
  const { queued, waitingEvents, oldestDueSeconds } = await deliveries.figures(MAX_QUEUED_COUNTED);
  const waiting =
    waitingEvents === 0 ? '' : ` and ${counted(waitingEvents, 'event waits for its', 'events wait for their')} fan-out`;
  const message = `${counted(queued, 'delivery is', 'deliveries are')} queued${waiting}, the oldest has been due for ${String(Math.round(oldestDueSeconds))} s`;
  if (oldestDueSeconds < LATE_SECONDS) return fine(message);
  const remedy =
    'Check that a node with ROLE=all or ROLE=worker runs, and read its log. More workers send more, but not to one slow receiver.';
  return oldestDueSeconds < FORGOTTEN_SECONDS ? warning(message, remedy) : failed(message, remedy);
};

export const checkBreakers = async (deliveries: Deliveries): Promise<UnnamedFinding> => {
  const { openBreakers } = await deliveries.figures(MAX_QUEUED_COUNTED);
  return openBreakers === 0
    ? fine('no receiver fails')
    : warning(
        `${impactText({ count: openBreakers, of: 'receivers' })} ${openBreakers === 1 ? 'has' : 'have'} failed ten times in a row`,
        'See tenon subscriptions list. Once a receiver works, tenon subscriptions try sends what waits for it. What has failed for good is sent again by tenon deliveries redeliver.',
      );
};
