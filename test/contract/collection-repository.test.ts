import { memoryCatalogueWorld, prismaCatalogueWorld } from './catalogue-worlds.ts';
import { collectionRepositoryContract } from './collection-repository.contract.ts';

collectionRepositoryContract('memory', memoryCatalogueWorld);
collectionRepositoryContract('prisma', prismaCatalogueWorld);
