import type { Ports } from '../../domain/ports/index.ts';
import { continueRedelivery } from './continue-redelivery.ts';

/** Continues the redeliveries by filter that are not finished, also after a crash. */
export const sweepRedeliveries = (ports: Pick<Ports, 'redeliveries' | 'deliveryQueue'>) => async (): Promise<void> => {
  for (const request of await ports.redeliveries.open()) while (await continueRedelivery(ports, request));
};
