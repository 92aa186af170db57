import { useEffect, useRef } from 'react';

import { Search } from '../icons/index.ts';

interface FilterFormProps {
  /** Name of the filter for screen readers, among other searches. */
  readonly what: string;
  readonly label: string;
  readonly placeholder: string;
  /** By what the list is filtered now. */
  readonly value: string | undefined;
  readonly maxLength?: number;
  /** Called on Enter, and when the field is emptied. */
  readonly onChange: (value: string | undefined) => void;
}

/** A text by which a list is filtered when it is whole, an id for example. */
export const FilterForm = ({ what, label, placeholder, value, maxLength = 255, onChange }: FilterFormProps) => {
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current || input.current === null) return;
    // Something else has set it: a link, or the way back. What was sent from here stays, with the focus.
    sent.current = value;
    input.current.value = value ?? '';
  }, [value]);
  const send = (text: string): void => {
    sent.current = text.trim() || undefined;
    onChange(sent.current);
  };
  return (
    <form
      role="search"
      aria-label={what}
      className="with-icon grow find"
      onSubmit={(event) => {
        event.preventDefault();
        send(input.current?.value ?? '');
      }}
    >
      <Search size={15} aria-hidden />
      <input
        ref={input}
        className="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        defaultValue={value}
        onChange={(event) => {
          if (event.target.value === '') send('');
        }}
      />
    </form>
  );
};
