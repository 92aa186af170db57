/** Types of the API's answers. They are erased: the bundle has no code of the server. */
export type * from '../../src/adapters/http/console/shared.ts';
