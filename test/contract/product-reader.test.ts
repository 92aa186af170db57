import { memoryCatalogueWorld, prismaCatalogueWorld } from './catalogue-worlds.ts';
import { productReaderContract } from './product-reader.contract.ts';

productReaderContract('memory', memoryCatalogueWorld);
productReaderContract('prisma', prismaCatalogueWorld);
