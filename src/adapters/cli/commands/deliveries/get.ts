import { WHY_WAITING } from '../../../../domain/webhooks/why-waiting.ts';
import type { DeliveryDetail } from '../../../http/answers.ts';
import { findDeliveryId } from '../../admin/short-id.ts';
import { adminCommand } from '../../command.ts';
import { deliveryIds } from '../../completions.ts';
import { idArgument, STORE_FLAG, WIDE_FLAG } from '../../flags.ts';
import { ownerText, receiverText } from './list.ts';

export const getDelivery = adminCommand({
  docs: {
    brief: 'Show a delivery with its attempts',
    about: 'With --json, it includes the body and the headers of each attempt.',
    examples: ['tenon deliveries get 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  flags: { store: STORE_FLAG, ...WIDE_FLAG },
  positional: { kind: 'tuple', parameters: [idArgument('Id of the delivery', deliveryIds)] },
  run: async ({ api, print }, { store }, id) => {
    const delivery = await api.get<DeliveryDetail>(`/deliveries/${await findDeliveryId(api, id, store)}`);
    const {
      log,
      body: _body,
      receiver: { url },
      waitingBecause,
      ...shown
    } = delivery;
    const why = waitingBecause === null ? null : WHY_WAITING[waitingBecause];
    print.one(delivery, {
      ...shown,
      waitingBecause: why && `${why.name}. ${why.help}`,
      receiver: receiverText(delivery),
      url,
      owner: ownerText(delivery),
    });
    if (!print.isForPeople || log.length === 0) return;
    print.raw('\n');
    print.list(log, [
      { name: 'attempt', of: ({ number }) => number, align: 'right' },
      { name: 'at', of: ({ startedAt }) => startedAt, kind: 'time' },
      { name: 'ms', of: ({ durationMs }) => durationMs, align: 'right', drop: 2 },
      { name: 'status', of: ({ status }) => status, align: 'right' },
      { name: 'error', of: ({ error }) => error },
      { name: 'response', of: ({ response }) => response, drop: 1 },
    ]);
  },
});
