import { deliveryRepositoryContract } from './delivery-repository.contract.ts';
import { deliveryWorlds } from './delivery-worlds.ts';

deliveryRepositoryContract('memory', deliveryWorlds.memory);
deliveryRepositoryContract('prisma', deliveryWorlds.prisma);
