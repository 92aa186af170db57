import type { EventDetail } from '../../../http/schemas/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG } from '../../flags.ts';

export const getEvent = adminCommand({
  docs: {
    brief: 'Show an event with its deliveries',
    examples: ['tenon events get 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  flags: { store: STORE_FLAG },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'id', brief: 'Id of the event' }] },
  run: async ({ api, print }, { store }, id) => {
    const found = await findStore(api, store);
    const event = await api.get<EventDetail>(`/stores/${found.id}/events/${encodeURIComponent(id)}`);
    const { deliveries, data, ...shown } = event;
    print.one(event, { ...shown, data: JSON.stringify(data), deliveries: deliveries.length });
    if (!print.isForPeople || deliveries.length === 0) return;
    print.raw('\n');
    print.list(deliveries, [
      { name: 'delivery', of: (delivery) => delivery.id },
      { name: 'status', of: ({ status }) => status },
      { name: 'attempts', of: ({ attempts }) => attempts, align: 'right' },
      { name: 'error', of: ({ error }) => error },
    ]);
  },
});
