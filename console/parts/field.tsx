import { useId, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly fault?: string | null;
}

type InputProps = FieldProps & InputHTMLAttributes<HTMLInputElement>;

const described = (id: string, hint: ReactNode, fault: string | null | undefined): string | undefined =>
  [hint !== undefined && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined;

const Notes = ({ id, hint, fault }: Omit<FieldProps, 'label'> & { readonly id: string }) => (
  <>
    {hint !== undefined && (
      <span className="hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
    {fault && (
      <span className="fault" id={`${id}-fault`} role="alert">
        {fault}
      </span>
    )}
  </>
);

/** An input with its label, a hint and what is wrong with it. */
export const Field = ({ label, hint, fault, ...input }: InputProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="input" aria-invalid={Boolean(fault)} aria-describedby={described(id, hint, fault)} {...input} />
      <Notes id={id} hint={hint} fault={fault ?? null} />
    </div>
  );
};

/** A `Field` with several lines. */
export const TextField = ({ label, hint, fault, ...input }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        aria-invalid={Boolean(fault)}
        aria-describedby={described(id, hint, fault)}
        spellCheck={false}
        {...input}
      />
      <Notes id={id} hint={hint} fault={fault ?? null} />
    </div>
  );
};

interface ChipsProps<T extends string> {
  readonly label: string;
  readonly options: readonly T[];
  readonly chosen: readonly T[];
  readonly onChange: (chosen: readonly T[]) => void;
  readonly nameOf?: (option: T) => string;
}

/** Several of a few options. */
export const Chips = <T extends string>({ label, options, chosen, onChange, nameOf = (name) => name }: ChipsProps<T>) => (
  <div role="group" aria-label={label} className="chips">
    {options.map((option) => {
      const isChosen = chosen.includes(option);
      return (
        <button
          key={option}
          type="button"
          className="chip"
          aria-pressed={isChosen}
          onClick={() => onChange(isChosen ? chosen.filter((other) => other !== option) : [...chosen, option])}
        >
          {nameOf(option)}
        </button>
      );
    })}
  </div>
);

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: readonly (readonly [T, string])[];
  readonly chosen: T;
  readonly onChange: (chosen: T) => void;
}

/** A choice of a few visible options. */
export const Choice = <T extends string>({ label, options, chosen, onChange }: ChoiceProps<T>) => (
  <div role="group" aria-label={label} className="tabs">
    {options.map(([option, name]) => (
      <button key={option} type="button" aria-pressed={option === chosen} onClick={() => onChange(option)}>
        {name}
      </button>
    ))}
  </div>
);

interface SelectProps<T extends string> extends ChoiceProps<T> {
  /** False hides the label from all but screen readers. */
  readonly isLabelShown?: boolean;
}

export const Select = <T extends string>({ label, options, chosen, onChange, isLabelShown = false }: SelectProps<T>) => {
  const id = useId();
  const select = (
    <select
      id={id}
      value={chosen}
      aria-label={isLabelShown ? undefined : label}
      onChange={(event) => onChange(event.target.value as T)}
    >
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
  if (!isLabelShown) return select;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {select}
    </div>
  );
};
