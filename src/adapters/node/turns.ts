import type { Turns } from '../../domain/ports/turns.ts';
import { beginTurns } from '../startup/turns.ts';

export const turnsOf = (now?: () => number): Turns => ({ begin: () => beginTurns(now) });
