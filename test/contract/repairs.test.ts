import { deliveryWorlds } from './delivery-worlds.ts';
import { repairsContract } from './repairs.contract.ts';

repairsContract('memory', deliveryWorlds.memory);
repairsContract('prisma', deliveryWorlds.prisma);
