import { AFTER_COMMIT, findsPlanted, times } from '../campaigns/faults/planted.ts';

findsPlanted([
  ['split-commit', 'executed twice', times(4, AFTER_COMMIT)],
  ['no-lock', 'executed twice', times(10, 'stop-at-point=key.remember:before')],
  ['unconditional-clean-up', 'executed twice', times(10, 'lose-commit')],
  // The next commit of others brings the lost one to the disk, so it takes some crashes to come between.
  ['no-flush', 'not executed', times(14, 'crash')],
  ['stock-after-commit', 'stock differs', times(4, AFTER_COMMIT)],
]);
