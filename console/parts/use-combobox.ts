import { useState, type KeyboardEvent } from 'react';

import { useChoices, type Choices, type Option } from './choices.ts';

interface Given {
  readonly choices: Choices;
  /** Options that are there before a text is typed. */
  readonly always: readonly Option[];
  readonly onChange: (id: string | undefined) => void;
}

const statusOf = ({ found }: ReturnType<typeof useChoices>): string => {
  if (found.isError) return 'The list cannot be read. Try again.';
  if (found.isPending) return 'Searching…';
  const { options, total } = found.data;
  if (total === 0) return 'Nothing matches.';
  return total > options.length ? `${options.length} of ${total.toLocaleString()} are listed. Type to find the others.` : '';
};

const stepped = (active: number, by: number, count: number): number => (Math.max(active, by > 0 ? -1 : 0) + by + count) % count;

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Behaviour of a combobox: it opens, follows the text, and is operated by the keyboard. */
export const useCombobox = ({ choices, always, onChange }: Given) => {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [moved, setMoved] = useState<number | null>(null);
  const list = useChoices(choices, text.trim(), isOpen);
  const isTyped = text !== '';
  const options: readonly Option[] = [...(isTyped ? [] : always), ...(list.found.data?.options ?? [])];
  // The first match of a text, unless the reader moved to another one.
  const active = moved ?? (isTyped ? 0 : -1);
  const close = (): void => {
    setOpen(false);
    setText('');
    setMoved(null);
  };
  const choose = (option: Option): void => {
    close();
    onChange(option.id || undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const option = options[active];
    if (step !== undefined) {
      setOpen(true);
      if (options.length > 0) setMoved(stepped(active, step, options.length));
      // Never a match of the text before.
    } else if (event.key === 'Enter' && isOpen && option) {
      if (!isTyped || list.isSettled) choose(option);
    } else if (event.key === 'Escape' && isOpen) close();
    else if (event.key !== 'Enter') return;
    event.preventDefault();
  };
  const type = (typed: string): void => {
    setOpen(true);
    setText(typed);
    setMoved(null);
  };
  const status = isOpen ? statusOf(list) : '';
  return { isOpen, text, options, active, status, open: () => setOpen(true), close, choose, type, onKeyDown };
};
