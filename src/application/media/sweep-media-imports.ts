import type { Ports } from '../../domain/ports/index.ts';

/** Asks anew for all imports that are to go on or to end: what a crash or an emptied queue forgot. */
export const sweepMediaImports =
  ({ importQueue, mediaImports }: Pick<Ports, 'importQueue' | 'mediaImports'>) =>
  async (): Promise<void> => {
    await importQueue.ask(await mediaImports.toRun());
  };
