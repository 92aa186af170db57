import { memoryCatalogueWorld, prismaCatalogueWorld } from './catalogue-worlds.ts';
import { categoryRepositoryContract } from './category-repository.contract.ts';

categoryRepositoryContract('memory', memoryCatalogueWorld);
categoryRepositoryContract('prisma', prismaCatalogueWorld);
