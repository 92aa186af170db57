import { serve } from '../../../support/serve.ts';
import { withPlant } from './plants.ts';

// A Tenon of the campaign's, with the bug that PLANT names. The product holds no line of it.

const { PLANT = '' } = process.env;
await serve((ports) => withPlant(ports, PLANT));
