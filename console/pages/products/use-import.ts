import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { ApiError } from '../../api/problem.ts';
import type { ImportReport } from '../../api/types.ts';
import { queryOf } from '../../api/query-string.ts';
import { upload } from '../../api/upload.ts';
import { formatOf } from './catalogue-file.ts';
import { countLines } from './import-lines.ts';
import { useImportFrames } from './use-import-frames.ts';

export type ImportCounts = Pick<ImportReport, 'read' | 'created' | 'updated' | 'unchanged' | 'failed'>;

/** A file, how it is to be read, and whether that is only tried. */
export interface Chosen {
  readonly file: File;
  readonly isDryRun: boolean;
  /** True if the import may remove many variants. */
  readonly allowsRemovals?: boolean;
  readonly charset: string;
}

export type ImportState =
  | { readonly phase: 'idle' }
  | (Chosen & {
      readonly phase: 'running';
      readonly sent: number;
      /** Null until they are counted. */
      readonly lines: number | null;
    })
  | (Chosen & { readonly phase: 'done'; readonly report: ImportReport })
  | (Chosen & { readonly phase: 'failed'; readonly error: unknown })
  | (Chosen & { readonly phase: 'cancelled' });

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Runs an import at a time, with its progress and result. */
export const useImport = (storeId: string) => {
  const queries = useQueryClient();
  const [state, setState] = useState<ImportState>({ phase: 'idle' });
  const { counts, other, started, ended } = useImportFrames(storeId);
  const cancel = useRef<() => void>(undefined);
  // Another page ends it: nobody would see its result.
  useEffect(() => () => cancel.current?.(), []);

  const count = async (file: File): Promise<void> => {
    const lines = await countLines(file);
    setState((now) => (now.phase === 'running' ? { ...now, lines } : now));
  };
  const start = async (chosen: Chosen): Promise<void> => {
    const { file, isDryRun, allowsRemovals, charset } = chosen;
    const leaving = new AbortController();
    cancel.current = () => leaving.abort();
    started();
    setState({ phase: 'running', ...chosen, sent: 0, lines: null });
    try {
      const { type } = await formatOf(file);
      leaving.signal.throwIfAborted();
      const query = queryOf({
        fileName: file.name,
        dryRun: isDryRun ? '1' : undefined,
        allowRemovals: allowsRemovals ? '1' : undefined,
      });
      const path = `/stores/${storeId}/products/import${query}`;
      const sending = upload<ImportReport>(path, file, `${type}; charset=${charset}`, (sent) =>
        setState((now) => (now.phase === 'running' ? { ...now, sent } : now)),
      );
      cancel.current = sending.cancel;
      // A file that cannot be read ends both.
      const [{ body, requestId }] = await Promise.all([sending.done, count(file)]);
      ended(requestId);
      setState({ phase: 'done', ...chosen, report: body });
    } catch (error) {
      ended(error instanceof ApiError ? error.requestId : null);
      setState(isAbort(error) ? { phase: 'cancelled', ...chosen } : { phase: 'failed', ...chosen, error });
    } finally {
      cancel.current = undefined;
      for (const name of ['products', 'product-imports']) void queries.invalidateQueries({ queryKey: [name, storeId] });
    }
  };
  return { state, counts, other, start, cancel: () => cancel.current?.(), reset: () => setState({ phase: 'idle' }) };
};
