import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';

import { useToast } from './toast.tsx';

interface Action<Output> {
  readonly act: () => Promise<Output>;
  /** What the reader hears when it is done. */
  readonly said?: string | ((output: Output) => string);
  readonly onDone?: (output: Output) => void;
  /** The first parts of the query keys that are read again after it. */
  readonly changes: readonly string[];
}

/** Something that a button does. What the pages know of it is read again after it. */
export const useAction = <Output>({ act, said, onDone, changes }: Action<Output>): UseMutationResult<Output, Error, void> => {
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: act,
    onSuccess: (output) => {
      if (said !== undefined) toast('ok', typeof said === 'string' ? said : said(output));
      onDone?.(output);
      for (const name of changes) void queries.invalidateQueries({ queryKey: [name] });
    },
  });
};
