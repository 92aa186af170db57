import type { DeliveryDetail } from '../../../http/schemas/answers.ts';
import { adminCommand } from '../../command.ts';
import { shortTime } from '../../output/time.ts';

export const getDelivery = adminCommand({
  docs: {
    brief: 'Show a delivery with its attempts',
    about: 'With --json, it includes the body and the headers of each attempt.',
    examples: ['tenon deliveries get 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'id', brief: 'Id of the delivery' }] },
  run: async ({ api, print }, _flags: object, id) => {
    const delivery = await api.get<DeliveryDetail>(`/deliveries/${encodeURIComponent(id)}`);
    const { log, body: _body, ...shown } = delivery;
    print.one(delivery, shown);
    if (!print.isForPeople || log.length === 0) return;
    print.raw('\n');
    print.list(log, [
      { name: 'attempt', of: ({ number }) => number, align: 'right' },
      { name: 'at', of: ({ startedAt }) => shortTime(startedAt) },
      { name: 'ms', of: ({ durationMs }) => durationMs, align: 'right' },
      { name: 'status', of: ({ status }) => status, align: 'right' },
      { name: 'error', of: ({ error }) => error },
      { name: 'response', of: ({ response }) => response },
    ]);
  },
});
