import { eventRepositoryContract } from './event-repository.contract.ts';
import { memoryWorld, prismaWorld } from './worlds.ts';

eventRepositoryContract('memory', memoryWorld);
eventRepositoryContract('prisma', prismaWorld);
