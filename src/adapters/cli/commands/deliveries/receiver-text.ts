import type { Delivery } from '../../../http/answers.ts';

type OfDelivery = Pick<Delivery, 'receiver'>;

/** Name of the receiver, also after its subscription is deleted. */
export const receiverText = ({ receiver }: OfDelivery): string => receiver.name ?? 'deleted subscription';

/** The app that subscribed, or the merchant. */
export const ownerText = ({ receiver }: OfDelivery): string => receiver.owner ?? 'merchant';
