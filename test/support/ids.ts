export { sequentialIds } from '../../src/adapters/memory/ids.ts';
