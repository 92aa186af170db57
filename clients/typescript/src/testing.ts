export { fakeStore } from './testing/fake-store.ts';
export type { FakeAnswer, FakeRequest, FakeStore } from './testing/fake-store.ts';
export { eventOf, signedRequest } from './testing/fixtures.ts';
export { sign } from './webhooks/sign.ts';
