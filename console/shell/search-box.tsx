import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';

import { Search } from '../icons/index.ts';
import { isPortal } from '../api/client.ts';
import { useKeys } from './keyboard.ts';

/** An app searches what is its own. */
const [WHAT, PLACEHOLDER] = isPortal
  ? ['a URL, a key or any id', 'URL, key or id']
  : ['a name, a URL, a SKU or any id', 'Name, URL, SKU or id'];

/** Where a phone has no room for more. */
const SHORT = 'Search';
const isNarrow = (): boolean => matchMedia('(max-width: 820px)').matches;

/** Finds any id. `/` focuses it. */
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
          aria-label={`Search by ${WHAT}`}
          placeholder={isNarrow() ? SHORT : PLACEHOLDER}
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
    </form>
  );
};
