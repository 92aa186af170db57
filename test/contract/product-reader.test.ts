import { catalogueWorlds } from './catalogue-worlds.ts';
import { productReaderContract } from './product-reader.contract.ts';

for (const [name, open] of catalogueWorlds) productReaderContract(name, open);
