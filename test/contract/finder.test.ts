import { deliveryWorlds } from './delivery-worlds.ts';
import { finderContract } from './finder.contract.ts';

finderContract('memory', deliveryWorlds.memory);
finderContract('prisma', deliveryWorlds.prisma);
