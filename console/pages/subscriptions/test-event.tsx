import { useNavigate } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';

import { api } from '../../api/client.ts';
import type { RecordedEvent } from '../../api/types.ts';
import { Select, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ORDER_TYPES, sampleOf } from './samples.ts';
import type { OrderType } from './samples.ts';

/** The object that the text is; null when it is not one. */
const objectOf = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    // It is still being typed.
    return null;
  }
};

const Ask = ({ storeId, onClose }: { readonly storeId: string; readonly onClose: () => void }) => {
  const navigate = useNavigate();
  const [type, setType] = useState<OrderType>('order.paid');
  const [text, setText] = useState(() => sampleOf('order.paid'));
  const data = objectOf(text);
  const send = useAction({
    act: () => api.post<RecordedEvent>(`/stores/${storeId}/events`, { type, data }),
    said: ({ subscriptions }) =>
      subscriptions === 0
        ? 'The event is recorded. No subscription wants it.'
        : `The event goes to ${subscriptions} ${subscriptions === 1 ? 'subscription' : 'subscriptions'}.`,
    onDone: ({ eventId }) => void navigate({ to: '/stores/$storeId/events', params: { storeId }, search: { open: eventId } }),
    changes: ['deliveries', 'events'],
  });
  return (
    <FormDialog
      title="Send a test event"
      action="Send the event"
      isBusy={send.isPending}
      isDisabled={data === null}
      error={send.error}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <p className="mute">
        This is a real event of the store: every subscription to its type receives it. Afterwards you see its deliveries.
      </p>
      <Select
        label="Type"
        options={ORDER_TYPES.map((option) => [option, option] as const)}
        chosen={type}
        onChange={(chosen) => {
          setType(chosen);
          setText(sampleOf(chosen));
        }}
        isLabelShown
      />
      <TextField
        label="Data"
        rows={14}
        value={text}
        fault={data === null ? 'Write a JSON object.' : null}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
};

/** Records an event of a sample, then leads to it. */
export const TestEvent = ({ storeId }: { readonly storeId: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <FlaskConical size={15} aria-hidden /> Send a test event
      </button>
      {isOpen && <Ask storeId={storeId} onClose={() => setOpen(false)} />}
    </>
  );
};
