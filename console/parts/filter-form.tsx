import { useRef } from 'react';

import { Search } from '../icons/index.ts';

interface FilterFormProps {
  /** What is filtered, as a screen reader names it among other searches. */
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
  return (
    <form
      role="search"
      aria-label={what}
      className="with-icon grow find"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(input.current?.value.trim() || undefined);
      }}
    >
      <Search size={15} aria-hidden />
      <input
        ref={input}
        key={value ?? ''}
        className="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        defaultValue={value}
        onChange={(event) => {
          if (event.target.value === '') onChange(undefined);
        }}
      />
    </form>
  );
};
