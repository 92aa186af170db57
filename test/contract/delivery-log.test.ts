import { deliveryLogContract } from './delivery-log.contract.ts';
import { deliveryWorlds } from './delivery-worlds.ts';

deliveryLogContract('memory', deliveryWorlds.memory);
deliveryLogContract('prisma', deliveryWorlds.prisma);
