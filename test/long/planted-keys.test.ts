import { AFTER_COMMIT, findsPlanted, times } from '../campaigns/faults/planted.ts';

findsPlanted([
  ['split-commit', 'executed twice', times(4, AFTER_COMMIT)],
  ['no-lock', 'executed twice', times(10, 'stop-at-point=key.remember:before')],
  ['unconditional-clean-up', 'executed twice', times(10, 'lose-commit')],
  ['no-flush', 'not executed', times(4, 'crash')],
  ['stock-after-commit', 'stock differs', times(4, AFTER_COMMIT)],
]);
