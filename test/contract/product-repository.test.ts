import { memoryCatalogueWorld, prismaCatalogueWorld } from './catalogue-worlds.ts';
import { productRepositoryContract } from './product-repository.contract.ts';

productRepositoryContract('memory', memoryCatalogueWorld);
productRepositoryContract('prisma', prismaCatalogueWorld);
