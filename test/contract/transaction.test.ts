import { transactionContract } from './transaction.contract.ts';
import { memoryWorld, prismaWorld } from './worlds.ts';

transactionContract('memory', memoryWorld);
transactionContract('prisma', prismaWorld);
