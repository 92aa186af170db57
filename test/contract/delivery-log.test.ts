import { deliveryLogContract } from './delivery-log.contract.ts';
import { deliveryWorlds } from './delivery-worlds.ts';

for (const [name, open] of Object.entries(deliveryWorlds)) deliveryLogContract(name, open);
