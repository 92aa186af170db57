import { productExporterContract } from './product-exporter.contract.ts';
import { memoryWorld, prismaWorld } from './worlds.ts';

productExporterContract('memory', memoryWorld);
productExporterContract('prisma', prismaWorld);
