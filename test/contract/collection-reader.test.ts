import { memoryCatalogueWorld, prismaCatalogueWorld } from './catalogue-worlds.ts';
import { collectionReaderContract } from './collection-reader.contract.ts';

collectionReaderContract('memory', memoryCatalogueWorld);
collectionReaderContract('prisma', prismaCatalogueWorld);
