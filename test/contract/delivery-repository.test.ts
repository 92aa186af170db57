import { deliveryRepositoryContract } from './delivery-repository.contract.ts';
import { deliveryWorlds } from './delivery-worlds.ts';

for (const [name, open] of Object.entries(deliveryWorlds)) deliveryRepositoryContract(name, open);
