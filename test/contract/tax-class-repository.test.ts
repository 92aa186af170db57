import { memoryCatalogueWorld, prismaCatalogueWorld } from './catalogue-worlds.ts';
import { taxClassRepositoryContract } from './tax-class-repository.contract.ts';

taxClassRepositoryContract('memory', memoryCatalogueWorld);
taxClassRepositoryContract('prisma', prismaCatalogueWorld);
