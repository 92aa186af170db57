import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { useLive } from '../../api/live.ts';
import type { ImportReport, LiveFrame } from '../../api/types.ts';
import { queryOf } from '../../api/query-string.ts';
import { upload } from '../../api/upload.ts';
import { formatOf } from './catalogue-file.ts';
import { countLines } from './import-lines.ts';

export type ImportFrame = Extract<LiveFrame, { kind: 'import' }>;

export type ImportCounts = Pick<ImportReport, 'read' | 'created' | 'updated' | 'unchanged' | 'failed'>;

interface Chosen {
  readonly file: File;
  readonly isDryRun: boolean;
}

export type ImportState =
  | { readonly phase: 'idle' }
  | (Chosen & {
      readonly phase: 'running';
      readonly sent: number;
      /** Null until they are counted. */
      readonly lines: number | null;
      readonly counts: ImportFrame | null;
    })
  | (Chosen & { readonly phase: 'done'; readonly report: ImportReport })
  | (Chosen & { readonly phase: 'failed'; readonly error: unknown; readonly counts: ImportCounts | null })
  | (Chosen & { readonly phase: 'cancelled'; readonly counts: ImportCounts | null });

export const isOfProducts = (frame: LiveFrame): frame is ImportFrame => frame.kind === 'import' && frame.of === 'products';

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** One import at a time: how far it is, and what came of it. */
export const useImport = (storeId: string) => {
  const queries = useQueryClient();
  const [state, setState] = useState<ImportState>({ phase: 'idle' });
  const cancel = useRef<() => void>(undefined);
  // The request's id comes with its answer. Until then, the first import that is new is this one.
  const own = useRef<string>(undefined);
  const others = useRef(new Set<string>());
  const [other, setOther] = useState<ImportFrame | null>(null);
  const isRunning = state.phase === 'running';
  useLive(storeId, (frames) => {
    for (const frame of frames.filter(isOfProducts)) {
      if (isRunning && !others.current.has(frame.id)) own.current ??= frame.id;
      if (frame.id === own.current) setState((now) => (now.phase === 'running' ? { ...now, counts: frame } : now));
      else {
        others.current.add(frame.id);
        if (!frame.isDryRun) setOther(frame);
      }
    }
  });
  // Another page ends it: nobody would see its result.
  useEffect(() => () => cancel.current?.(), []);

  const count = async (file: File): Promise<void> => {
    const lines = await countLines(file);
    setState((now) => (now.phase === 'running' ? { ...now, lines } : now));
  };
  const start = async (chosen: Chosen): Promise<void> => {
    const { file, isDryRun } = chosen;
    own.current = undefined;
    setState({ phase: 'running', ...chosen, sent: 0, lines: null, counts: null });
    try {
      const { type } = await formatOf(file);
      const query = queryOf({ fileName: file.name, dryRun: isDryRun ? '1' : undefined });
      const sending = upload<ImportReport>(`/stores/${storeId}/products/import${query}`, file, type, (sent) =>
        setState((now) => (now.phase === 'running' ? { ...now, sent } : now)),
      );
      cancel.current = sending.cancel;
      // A file that cannot be read ends both.
      const [report] = await Promise.all([sending.done, count(file)]);
      setState({ phase: 'done', ...chosen, report });
    } catch (error) {
      setState((now) => {
        const counts = now.phase === 'running' ? now.counts : null;
        return isAbort(error) ? { phase: 'cancelled', ...chosen, counts } : { phase: 'failed', ...chosen, error, counts };
      });
    } finally {
      cancel.current = undefined;
      for (const name of ['products', 'product-imports']) void queries.invalidateQueries({ queryKey: [name, storeId] });
    }
  };
  return { state, other, start, cancel: () => cancel.current?.(), reset: () => setState({ phase: 'idle' }) };
};
