import { mediaImportLogContract } from './media-import-log.contract.ts';
import { deliveryWorlds } from './delivery-worlds.ts';

mediaImportLogContract('memory', deliveryWorlds.memory);
mediaImportLogContract('prisma', deliveryWorlds.prisma);
