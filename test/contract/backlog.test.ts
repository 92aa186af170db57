import { backlogContract } from './backlog.contract.ts';
import { deliveryWorlds } from './delivery-worlds.ts';

backlogContract('memory', deliveryWorlds.memory);
backlogContract('prisma', deliveryWorlds.prisma);
