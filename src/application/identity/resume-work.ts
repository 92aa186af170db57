import type { Ports } from '../../domain/ports/index.ts';

export type ResumePorts = Pick<Ports, 'deliveries' | 'deliveryQueue' | 'importQueue' | 'mediaImports'>;

/** Asks for what a suspension, an inactive store or a stop for another reason had held, of one installation or of a whole store. */
export const resumeWork =
  ({ deliveries, deliveryQueue, importQueue, mediaImports }: ResumePorts) =>
  async (owner: { readonly storeId: string; readonly installationId?: string }): Promise<void> => {
    await deliveryQueue.wake(await deliveries.queuedSubscriptions(owner));
    await importQueue.ask(await mediaImports.toRun(owner));
  };
