import { keyLogContract } from './key-log.contract.ts';
import { memoryWorld, prismaWorld } from './worlds.ts';

keyLogContract('memory', memoryWorld);
keyLogContract('prisma', prismaWorld);
