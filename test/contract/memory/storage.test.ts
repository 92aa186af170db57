import { storageContracts } from '../storage-contracts.ts';
import { memoryWorlds } from './index.ts';

storageContracts(memoryWorlds);
