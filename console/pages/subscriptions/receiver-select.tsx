import { receiverName } from '../../../src/adapters/http/console/shared.ts';
import { SHOWN, type Choices } from '../../parts/choices.ts';
import { Combobox } from '../../parts/combobox.tsx';
import { readSubscriptions } from './queries.ts';
import { useReceiverName } from './receiver-name.tsx';

const choicesOf = (storeId: string): Choices => ({
  queryKey: ['subscriptions', storeId],
  read: async (q, signal) => {
    const { items, total } = await readSubscriptions(storeId, { q, take: SHOWN }, signal);
    // The end of the id tells two with the same name apart.
    const options = items.map((one) => ({ id: one.id, name: receiverName(one), note: `…${one.id.slice(-4)}` }));
    return { options: options.slice(0, SHOWN), total };
  },
});

interface ReceiverSelectProps {
  readonly storeId: string;
  readonly chosen: string | undefined;
  readonly onChange: (subscription: string | undefined) => void;
}

export const ReceiverSelect = ({ storeId, chosen, onChange }: ReceiverSelectProps) => {
  const name = useReceiverName(storeId, chosen);
  return (
    <Combobox
      label="Receiver"
      none="All receivers"
      choices={choicesOf(storeId)}
      chosen={chosen === undefined ? undefined : { id: chosen, name }}
      onChange={onChange}
    />
  );
};
