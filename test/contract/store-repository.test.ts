import { identityWorlds } from './identity-worlds.ts';
import { storeRepositoryContract } from './store-repository.contract.ts';

storeRepositoryContract('memory', identityWorlds.memory);
storeRepositoryContract('prisma', identityWorlds.prisma);
