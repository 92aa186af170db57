/** What the API answers. Types only: the bundle has no code of the server. */
export type * from '../../src/adapters/http/schemas/answers.ts';
