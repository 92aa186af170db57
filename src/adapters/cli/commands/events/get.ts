import type { EventDetail } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { eventId } from '../../admin/short-id.ts';
import { adminCommand } from '../../command.ts';
import { eventIds } from '../../completions.ts';
import { idArgument, STORE_FLAG, WIDE_FLAG } from '../../flags.ts';
import { errorText, ownerText, receiverText } from '../deliveries/list.ts';

export const getEvent = adminCommand({
  docs: {
    brief: 'Show an event with its deliveries',
    examples: ['tenon events get 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11'],
  },
  flags: { store: STORE_FLAG, ...WIDE_FLAG },
  positional: { kind: 'tuple', parameters: [idArgument('Id of the event', eventIds)] },
  run: async ({ api, print }, { store }, id) => {
    const found = await findStore(api, store);
    const event = await api.get<EventDetail>(`/stores/${found.id}/events/${await eventId(api, id, found.id)}`);
    const { deliveries, gatheredInto, notSent, data, ...shown } = event;
    const counts = { deliveries: deliveries.length, gatheredInto: gatheredInto.length, notSent: notSent.length };
    print.one(event, { ...shown, data: JSON.stringify(data), ...counts });
    const listed = [...deliveries, ...gatheredInto];
    if (!print.isForPeople || listed.length === 0) return;
    print.raw('\n');
    print.list(listed, [
      { name: 'delivery', of: (delivery) => delivery.id, kind: 'id' },
      { name: 'status', of: ({ status }) => status },
      { name: 'receiver', of: receiverText, least: 28, isCutWithin: true },
      { name: 'owner', of: ownerText, drop: 2 },
      { name: 'gathered', of: ({ gathered }) => gathered ?? '', align: 'right', drop: 1 },
      { name: 'attempts', of: ({ attempts }) => attempts, align: 'right', drop: 3 },
      { name: 'error', of: ({ error, responseStatus }) => errorText(error, responseStatus) },
    ]);
  },
});
