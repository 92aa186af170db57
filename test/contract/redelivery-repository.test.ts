import { deliveryWorlds } from './delivery-worlds.ts';
import { redeliveryRepositoryContract } from './redelivery-repository.contract.ts';

redeliveryRepositoryContract('memory', deliveryWorlds.memory);
redeliveryRepositoryContract('prisma', deliveryWorlds.prisma);
