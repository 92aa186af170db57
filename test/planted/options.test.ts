import { findsPlanted, times } from '../campaigns/faults/planted.ts';

/**
 * Planting them is enough: their faults happen in any round that is long enough for windows and
 * replacements.
 */
const MILLISECONDS = 15_000;

findsPlanted(
  [
    ['no-order', 'delivered out of order', times(2, 'kill-at-random')],
    ['no-filter', 'not filtered', times(1, 'kill-at-random')],
    ['brings-older', 'copy differs', times(1, 'kill-at-random')],
    ['gathers-across', 'gathered wrongly', times(1, 'kill-at-random')],
    ['replaces-anew', 'event lost', times(2, 'kill-at-random')],
  ],
  MILLISECONDS,
);
