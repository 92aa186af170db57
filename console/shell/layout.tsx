import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { useRef, useState } from 'react';

import { Keyboard, LogOut, Menu as MenuIcon, X } from '../icons/index.ts';
import { isPortal } from '../api/client.ts';
import { signOut } from '../api/session.ts';
import { messageOf } from '../parts/notice.tsx';
import { useToast } from '../parts/toast.tsx';
import { focusRow, useKeys } from './keyboard.ts';
import { KeysHelp } from './keys-help.tsx';
import { Logo } from './logo.tsx';
import { PortalPlace } from './portal-place.tsx';
import { SearchBox } from './search-box.tsx';
import { SignedInAs } from './signed-in-as.tsx';
import { Side } from './side.tsx';
import { StoreMenu } from './store-menu.tsx';

/** Frame around every page of a signed-in reader. */
export const Layout = () => {
  const { storeId } = useParams({ strict: false });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const queries = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const main = useRef<HTMLElement>(null);
  // On a phone. Another page closes it.
  const [menuOpenOn, setMenuOpenOn] = useState<string | null>(null);
  const isMenuOpen = menuOpenOn === path;
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys({
    '?': () => setHelpOpen(true),
    r: () => void queries.invalidateQueries(),
    j: () => focusRow('first'),
    k: () => focusRow('last'),
  });
  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } catch (error) {
      toast('bad', `You are still signed in. ${messageOf(error)}`);
      return;
    }
    queries.clear();
    await router.invalidate();
  };
  return (
    <div className="shell">
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <aside className={`side${isMenuOpen ? ' open' : ''}`} id="side" aria-label="Menu">
        <Link to={isPortal ? '/' : '/stores'} className="brand">
          <Logo />
          Tenon
        </Link>
        {storeId !== undefined && <Side storeId={storeId} />}
        <div className="side-foot">
          {!isPortal && <SignedInAs />}
          <button type="button" onClick={() => setHelpOpen(true)}>
            <Keyboard size={16} aria-hidden /> Keyboard
          </button>
          <button type="button" onClick={() => void leave()}>
            <LogOut size={16} aria-hidden /> Sign out
          </button>
        </div>
      </aside>
      <header className="top">
        <button
          type="button"
          className="icon-button menu-toggle"
          aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isMenuOpen}
          aria-controls="side"
          onClick={() => setMenuOpenOn(isMenuOpen ? null : path)}
        >
          {isMenuOpen ? <X size={20} aria-hidden /> : <MenuIcon size={20} aria-hidden />}
        </button>
        {isPortal && <PortalPlace />}
        {!isPortal && storeId !== undefined && <StoreMenu storeId={storeId} />}
        {storeId !== undefined && (
          <>
            <span className="spread" />
            <SearchBox storeId={storeId} />
          </>
        )}
      </header>
      <main className="main" id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      {isHelpOpen && <KeysHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
};
