import { turnsOf } from '../../src/adapters/node/turns.ts';
import { manualTurns } from '../memory/turns.ts';
import { turnsContract } from './turns.contract.ts';

turnsContract('memory', manualTurns);
turnsContract('node', turnsOf);
