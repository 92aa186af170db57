import { useEffect, useRef } from 'react';

import { Search } from '../icons/index.ts';

interface FilterFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Text of the filter. */
  readonly filter: string;
  readonly onChange: (value: string) => void;
}

/** Long enough that a word is typed, short enough that the list seems to follow. */
const TYPING_MS = 200;

/** A text by which a list is filtered while it is typed. */
export const FilterField = ({ label, placeholder, filter, onChange }: FilterFieldProps) => {
  const timer = useRef<number>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(filter);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (filter === sent.current || input.current === null) return;
    // Something else has set it: a link to the whole list, or the way back.
    clearTimeout(timer.current);
    sent.current = filter;
    input.current.value = filter;
  }, [filter]);
  return (
    <div className="with-icon grow find" role="search">
      <Search size={15} aria-hidden />
      <input
        className="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        ref={input}
        defaultValue={filter}
        onChange={({ target }) => {
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => {
            sent.current = target.value.trim();
            onChange(sent.current);
          }, TYPING_MS);
        }}
      />
    </div>
  );
};
