import { ROOMS } from '../storage-contracts.ts';
import { postgresqlWorlds } from './index.ts';

ROOMS.rules(postgresqlWorlds);
