import { deliveryWorlds } from './delivery-worlds.ts';
import { figuresContract } from './figures.contract.ts';

figuresContract('memory', deliveryWorlds.memory);
figuresContract('prisma', deliveryWorlds.prisma);
