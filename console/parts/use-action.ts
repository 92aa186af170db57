import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

import { messageOf } from './notice.tsx';
import { useToast } from './toast.tsx';

interface Action<Output> {
  readonly act: () => Promise<Output>;
  /** Success message for the reader. It keeps its value from the beginning of the action. */
  readonly said?: string | ((output: Output) => string);
  readonly onDone?: (output: Output) => void;
  /** Where no dialog shows what went wrong: the reader hears it. */
  readonly saysFailure?: boolean;
  /** The first parts of the query keys that are read again after it, also where nobody knows whether it was done. */
  readonly changes: readonly string[];
}

/** Something that a button does. What the pages know of it is read again after it. */
export const useAction = <Output>(action: Action<Output>): UseMutationResult<Output, Error, void> => {
  const { act, said, onDone, saysFailure = false, changes } = action;
  const queries = useQueryClient();
  const toast = useToast();
  // Meanwhile the page may be drawn again, and its button would do something else.
  const begun = useRef(said);
  return useMutation({
    mutationFn: () => {
      begun.current = said;
      return act();
    },
    onSuccess: (output) => {
      const words = typeof begun.current === 'function' ? begun.current(output) : begun.current;
      if (words !== undefined) toast('ok', words);
      onDone?.(output);
    },
    onError: (error) => {
      if (saysFailure) toast('bad', messageOf(error));
    },
    onSettled: () => {
      for (const name of changes) void queries.invalidateQueries({ queryKey: [name] });
    },
  });
};
