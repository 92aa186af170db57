import { catalogueWorlds } from './catalogue-worlds.ts';
import { productRepositoryContract } from './product-repository.contract.ts';

for (const [name, open] of catalogueWorlds) productRepositoryContract(name, open);
