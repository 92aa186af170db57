import { findsPlanted } from '../campaigns/faults/planted.ts';

findsPlanted([
  ['no-deadline', 'no answer', ['silent']],
  ['backs-off', 'return not noticed', ['silent-to-all']],
  ['ready-if-alive', 'readiness wrong', ['silent-to-all']],
  ['asks-redis', 'slow without Redis', ['hang-redis']],
]);
