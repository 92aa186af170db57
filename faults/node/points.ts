/** The steps of each protocol at which a process may be made to die, by the role of the process that comes there. */
export const POINTS = {
  api: [
    'key.claim:before',
    'key.claim:after',
    'key.lock:before',
    'key.lock:after',
    'bulk.update:before',
    'bulk.update:after',
    'outbox.append:before',
    'outbox.append:after',
    'key.remember:before',
    'key.remember:after',
    'commit of write:after',
    'commit of event:after',
    'catalogue.save:before',
    'catalogue.save:after',
    'commit of import:after',
    'app.uninstall:before',
    'app.uninstall:after',
    'commit of uninstall:after',
    'subscription.create:before',
    'subscription.create:after',
    'subscription.delete:before',
    'subscription.delete:after',
  ],
  worker: [
    'deliveries.fanOut:before',
    'deliveries.fanOut:after',
    'queue.wake:before',
    'queue.wake:after',
    'fence.hold:before',
    'fence.hold:after',
    'deliveries.target:after',
    'deliveries.claim:before',
    'deliveries.claim:after',
    'sender.send:before',
    'sender.send:after',
    'deliveries.settle:before',
    'deliveries.settle:after',
  ],
} as const;

export type Role = keyof typeof POINTS;

export const isPoint = (text: string): boolean => [...POINTS.api, ...POINTS.worker].some((point) => point === text);
