import { z } from 'zod';

/** `?dryRun` of a request that may only be tried. */
export const dryRunFlag = (description: string) => z.enum(['0', '1']).optional().meta({ description });

/** True when the request is only tried. */
export const isDryRun = ({ dryRun: asked }: { readonly dryRun?: '0' | '1' | undefined }): boolean => asked === '1';
