import { identityWorlds } from './identity-worlds.ts';
import { storeErasureContract } from './store-erasure.contract.ts';

storeErasureContract('memory', identityWorlds.memory);
storeErasureContract('prisma', identityWorlds.prisma);
