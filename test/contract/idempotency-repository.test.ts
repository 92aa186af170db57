import { idempotencyRepositoryContract } from './idempotency-repository.contract.ts';
import { memoryWorld, prismaWorld } from './worlds.ts';

idempotencyRepositoryContract('memory', memoryWorld);
idempotencyRepositoryContract('prisma', prismaWorld);
