import { deliveryWorlds } from './delivery-worlds.ts';
import { invariantsContract } from './invariants.contract.ts';

invariantsContract('memory', deliveryWorlds.memory);
invariantsContract('prisma', deliveryWorlds.prisma);
