import { deliveryWorlds } from './delivery-worlds.ts';
import { eventFeedContract } from './event-feed.contract.ts';

eventFeedContract('memory', deliveryWorlds.memory);
eventFeedContract('prisma', deliveryWorlds.prisma);
