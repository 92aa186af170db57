import type { Ports } from '../../domain/ports/index.ts';

/**
 * Requests all imports that must continue or end, also those that a crash or an emptied queue lost.
 */
export const sweepMediaImports =
  ({ importQueue, mediaImports }: Pick<Ports, 'importQueue' | 'mediaImports'>) =>
  async (): Promise<void> => {
    await importQueue.ask(await mediaImports.toRun());
  };
