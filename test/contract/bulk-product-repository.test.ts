import { bulkProductRepositoryContract } from './bulk-product-repository.contract.ts';
import { memoryWorld, prismaWorld } from './worlds.ts';

bulkProductRepositoryContract('memory', memoryWorld);
bulkProductRepositoryContract('prisma', prismaWorld);
