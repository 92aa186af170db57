import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** The log has a refusal about a second after the live stream. */
const WRITTEN_MS = 1_500;

/** Gives what reads the list again once what happened by now is in the log. */
export const useReadLater = (storeId: string): (() => void) => {
  const queries = useQueryClient();
  const timer = useRef<number>(undefined);
  const isAsked = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readLater = (): void => {
    // What comes while the list waits may be written after it is read.
    isAsked.current = timer.current !== undefined;
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: ['requests', storeId] }, { cancelRefetch: false });
      if (isAsked.current) readLater();
    }, WRITTEN_MS);
  };
  return readLater;
};
