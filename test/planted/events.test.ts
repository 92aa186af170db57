import { AFTER_COMMIT, findsPlanted, times } from '../campaigns/faults/planted.ts';

findsPlanted([
  ['outbox-after-commit', 'event lost', times(4, AFTER_COMMIT)],
  ['no-lease', 'delivered after removal', times(4, 'terminate')],
  ['feed-by-time', 'feed lost', times(4, 'lose-commit')],
  ['full-disk-fails', 'media not imported', times(2, 'incoming-disk-full')],
]);
