import { FormDialog, type FormDialogProps } from './form.tsx';

type EffectsProps = Omit<FormDialogProps, 'children'> & {
  /** A sentence for each thing that happens. */
  readonly effects: readonly string[];
};

/** Says what happens before it does. */
export const EffectsDialog = ({ effects, ...dialog }: EffectsProps) => (
  <FormDialog {...dialog}>
    <ul className="bullets">
      {effects.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  </FormDialog>
);
