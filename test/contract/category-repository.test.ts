import { catalogueWorlds } from './catalogue-worlds.ts';
import { categoryRepositoryContract } from './category-repository.contract.ts';

for (const [name, open] of catalogueWorlds) categoryRepositoryContract(name, open);
