import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { FlaskConical } from '../../icons/index.ts';
import { api } from '../../api/client.ts';
import type { EventSamples, RecordedEvent } from '../../api/types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Found } from '../../parts/found.tsx';
import { useAction } from '../../parts/use-action.ts';
import { plural } from '../../parts/plural.ts';

type Sample = EventSamples['items'][number];

/** Samples change only with the server. */
const samplesQuery = queryOptions({
  queryKey: ['event-samples'],
  queryFn: ({ signal }) => api.get<EventSamples>('/events/samples', {}, signal),
  staleTime: Infinity,
});

/** The object that the text is; null when it is not one. */
const objectOf = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    // The text is incomplete.
    return null;
  }
};

const textOf = (sample: Sample | undefined): string => JSON.stringify(sample?.data ?? {}, null, 2);

interface AskProps {
  readonly storeId: string;
  readonly onClose: () => void;
}

const Ask = ({ storeId, samples, onClose }: AskProps & { readonly samples: readonly Sample[] }) => {
  const navigate = useNavigate();
  const [type, setType] = useState<string>(samples[0]?.type ?? '');
  const [text, setText] = useState(() => textOf(samples[0]));
  const data = objectOf(text);
  const send = useAction({
    act: () => api.post<RecordedEvent>(`/stores/${storeId}/events`, { type, data }),
    said: ({ subscriptions }) =>
      subscriptions === 0
        ? 'Event recorded. No subscription lists its type.'
        : `Event sent to ${plural(subscriptions, 'subscription')}.`,
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
        This is a real event: every subscription to its type receives it. Afterwards you see its deliveries. To test one receiver
        alone, open its subscription and send a ping.
      </p>
      <Select
        label="Type"
        options={samples.map((sample) => [sample.type, sample.type] as const)}
        chosen={type}
        onChange={(chosen) => {
          setType(chosen);
          setText(textOf(samples.find((sample) => sample.type === chosen)));
        }}
        isLabelShown
      />
      <TextField
        label="Data"
        rows={12}
        value={text}
        fault={data === null ? 'Enter a JSON object.' : null}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
};

const Load = ({ storeId, onClose }: AskProps) => {
  const samples = useQuery(samplesQuery);
  if (samples.data) return <Ask storeId={storeId} samples={samples.data.items} onClose={onClose} />;
  return (
    <Dialog title="Send a test event" onClose={onClose}>
      <Found query={samples} lines={6}>
        {() => null}
      </Found>
    </Dialog>
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
      {isOpen && <Load storeId={storeId} onClose={() => setOpen(false)} />}
    </>
  );
};
