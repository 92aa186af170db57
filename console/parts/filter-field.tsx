import { useRef } from 'react';

import { Search } from '../icons/index.ts';

interface FilterFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** What the list is filtered by when the field appears. */
  readonly initial: string;
  readonly onChange: (value: string) => void;
}

/** Long enough that a word is typed, short enough that the list seems to follow. */
const TYPING_MS = 200;

/** A text by which a list is filtered while it is typed. */
export const FilterField = ({ label, placeholder, initial, onChange }: FilterFieldProps) => {
  const timer = useRef<number>(undefined);
  return (
    <div className="with-icon grow find" role="search">
      <Search size={15} aria-hidden />
      <input
        className="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={initial}
        onChange={({ target }) => {
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => onChange(target.value.trim()), TYPING_MS);
        }}
      />
    </div>
  );
};
