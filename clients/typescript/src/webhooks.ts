export { receiver } from './webhooks/receiver.ts';
export type { Answer, Handler, HandlerContext, Receiver, ReceiverOptions } from './webhooks/receiver.ts';
export type { Once } from './webhooks/once.ts';
export { sign } from './webhooks/sign.ts';
export type { Delivery as SignedDelivery } from './webhooks/sign.ts';
export { VerificationError, verify } from './webhooks/verify.ts';
export type { HeaderReader, VerifyOptions } from './webhooks/verify.ts';
export type { AnyEvent, EventOf, EventType, TenonEvent } from './event.ts';
