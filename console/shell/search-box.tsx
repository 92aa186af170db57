import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useRef } from 'react';

import { useKeys } from './keyboard.ts';

/** One box for any id. `/` leads to it. */
export const SearchBox = ({ storeId }: { readonly storeId: string }) => {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => input.current?.focus() });
  return (
    <form
      role="search"
      aria-label="Whole store"
      className="search"
      onSubmit={(event) => {
        event.preventDefault();
        const q = input.current?.value.trim() ?? '';
        if (q !== '') void navigate({ to: '/stores/$storeId/search', params: { storeId }, search: { q } });
      }}
    >
      <div className="with-icon">
        <Search size={15} aria-hidden />
        <input
          ref={input}
          className="input"
          type="search"
          aria-label="Search by a name, a URL, a SKU or any id"
          placeholder="Name, URL, SKU or id"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
    </form>
  );
};
