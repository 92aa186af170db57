import { Search } from '../../icons/index.ts';
import { isPortal } from '../../api/client.ts';
import { useRef } from 'react';

const WHAT = isPortal ? 'A URL, a type, a key or an id' : 'A name, a domain, a URL, a type, a SKU, a key or an id';

interface FormProps {
  readonly q: string;
  readonly onSearch: (q: string) => void;
}

export const SearchForm = ({ q, onSearch }: FormProps) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      role="search"
      aria-label="In this store"
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        const text = input.current?.value.trim() ?? '';
        if (text !== '') onSearch(text);
      }}
    >
      <div className="with-icon grow">
        <Search size={15} aria-hidden />
        <input
          ref={input}
          key={q}
          className="input"
          type="search"
          aria-label={WHAT}
          placeholder={WHAT}
          defaultValue={q}
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
        />
      </div>
      <button type="submit" className="button primary">
        Search
      </button>
    </form>
  );
};
