import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { useLive } from '../../api/live.ts';
import type { LiveFrame } from '../../api/types.ts';
import { upload } from '../../api/upload.ts';
import { formatOf } from './catalogue-file.ts';

interface Failed {
  readonly line: number;
  readonly message: string;
}

export interface ImportCounts {
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
}

export interface ImportReport extends ImportCounts {
  readonly ended: 'complete' | 'refused' | 'stopped';
  readonly errors: readonly Failed[];
  readonly notes: readonly Failed[];
}

export type ImportState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly file: File; readonly sent: number; readonly counts: ImportCounts | null }
  | { readonly phase: 'done'; readonly file: File; readonly report: ImportReport }
  | { readonly phase: 'failed'; readonly file: File; readonly error: unknown; readonly counts: ImportCounts | null }
  | { readonly phase: 'cancelled'; readonly file: File; readonly counts: ImportCounts | null };

type ImportFrame = Extract<LiveFrame, { kind: 'import' }>;

const isOfProducts = (frame: LiveFrame): frame is ImportFrame => frame.kind === 'import' && frame.of === 'products';

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** One import at a time: how far it is, and what came of it. */
export const useImport = (storeId: string) => {
  const queries = useQueryClient();
  const [state, setState] = useState<ImportState>({ phase: 'idle' });
  const cancel = useRef<() => void>(undefined);
  // The request's id comes with its answer. Until then, the first import that is heard of is this one.
  const heard = useRef<string>(undefined);
  useLive(
    storeId,
    (frames) => {
      for (const frame of frames.filter(isOfProducts)) {
        heard.current ??= frame.id;
        if (frame.id !== heard.current) continue;
        setState((now) => (now.phase === 'running' ? { ...now, counts: frame } : now));
      }
    },
    state.phase === 'running',
  );
  // Another page ends it: nobody would see its result.
  useEffect(() => () => cancel.current?.(), []);

  const start = async (file: File): Promise<void> => {
    heard.current = undefined;
    setState({ phase: 'running', file, sent: 0, counts: null });
    try {
      const { type } = await formatOf(file);
      const sending = upload<ImportReport>(`/stores/${storeId}/products/import`, file, type, (sent) =>
        setState((now) => (now.phase === 'running' ? { ...now, sent } : now)),
      );
      cancel.current = sending.cancel;
      const report = await sending.done;
      setState({ phase: 'done', file, report });
    } catch (error) {
      setState((now) => {
        const counts = now.phase === 'running' ? now.counts : null;
        return isAbort(error) ? { phase: 'cancelled', file, counts } : { phase: 'failed', file, error, counts };
      });
    } finally {
      cancel.current = undefined;
      void queries.invalidateQueries({ queryKey: ['products', storeId] });
    }
  };
  return { state, start, cancel: () => cancel.current?.(), reset: () => setState({ phase: 'idle' }) };
};
