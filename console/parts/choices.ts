import { keepPreviousData, useQuery, type QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

export interface Option {
  readonly id: string;
  readonly name: string;
  /** Distinguishes options with the same name. */
  readonly note?: string | undefined;
}

/** Matching options, as far as they are listed, and their number. */
interface Found {
  readonly options: readonly Option[];
  readonly total: number;
}

/** 0 where the text begins a word of the name, 1 where it is inside a word, 2 where something else was found by it. */
const rankOf = (text: string, { name }: Option): number => {
  const at = name.toLowerCase().indexOf(text.toLowerCase());
  if (at < 0) return 2;
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.startsWith(text.toLowerCase()))
    ? 0
    : 1;
};

/** The options in the order of how well their names match. */
const rankedBy = (text: string, options: readonly Option[]): readonly Option[] =>
  text === '' ? options : options.toSorted((a, b) => rankOf(text, a) - rankOf(text, b));

export interface Choices {
  readonly queryKey: QueryKey;
  readonly read: (q: string, signal: AbortSignal) => Promise<Found>;
}

export const SHOWN = 20;

/** Long enough that a word is typed, short enough that the list seems to follow. */
const TYPING_MS = 150;

const useTyped = (text: string): string => {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text), text === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return typed;
};

/** The options for a text, while it is typed. `isSettled`: they are those of the text, not of the one before. */
export const useChoices = ({ queryKey, read }: Choices, text: string, isOpen: boolean) => {
  const q = useTyped(text);
  const found = useQuery({
    queryKey: [...queryKey, 'choices', q],
    queryFn: async ({ signal }) => {
      const { options, total } = await read(q, signal);
      return { options: rankedBy(q, options), total };
    },
    enabled: isOpen,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return { found, isSettled: q === text && found.isSuccess && !found.isPlaceholderData };
};
