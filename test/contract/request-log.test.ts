import { deliveryWorlds } from './delivery-worlds.ts';
import { requestLogContract } from './request-log.contract.ts';

requestLogContract('memory', deliveryWorlds.memory);
requestLogContract('prisma', deliveryWorlds.prisma);
