import { useEffect, useEffectEvent } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * Keys of the whole console, by their names: `/`, `?`, `r`, `j`, `k`. They do nothing while the reader types, with a
 * modifier, or while a dialog is open.
 */
export const useKeys = (keys: Readonly<Record<string, () => void>>): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
};

/** Moves the focus to the first or last row of the page's first table. */
export const focusRow = (which: 'first' | 'last'): void => {
  const rows = document.querySelectorAll<HTMLElement>('main tr[data-row]');
  rows[which === 'first' ? 0 : rows.length - 1]?.focus();
};
