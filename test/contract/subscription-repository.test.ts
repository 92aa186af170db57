import { openMemoryWorld, openPrismaWorld } from '../support/custom-data-world.ts';
import { subscriptionRepositoryContract } from './subscription-repository.contract.ts';

subscriptionRepositoryContract('memory', openMemoryWorld);
subscriptionRepositoryContract('prisma', openPrismaWorld);
