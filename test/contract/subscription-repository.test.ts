import { openMemoryWorld, openPrismaWorld } from '../support/custom-data-world.ts';
import { identityWorlds } from './identity-worlds.ts';
import { subscriptionRepositoryContract } from './subscription-repository.contract.ts';

subscriptionRepositoryContract('memory', openMemoryWorld, identityWorlds.memory);
subscriptionRepositoryContract('prisma', openPrismaWorld, identityWorlds.prisma);
