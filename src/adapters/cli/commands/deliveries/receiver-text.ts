import type { Delivery } from '../../../http/answers.ts';

type OfDelivery = Pick<Delivery, 'receiver'>;

/** Name of the receiver, also after its subscription is deleted. */
export const receiverText = ({ receiver }: OfDelivery): string => receiver.name ?? 'deleted subscription';

/** The app that subscribed, or the merchant. */
export const ownerText = ({ receiver }: OfDelivery): string => receiver.owner ?? 'merchant';

/** Reason for the last failure: the status itself, where the receiver answered. */
export const errorText = (error: Delivery['error'], status: number | null): string =>
  error?.startsWith('http_') === true && status !== null ? `http ${String(status)}` : (error ?? '');
