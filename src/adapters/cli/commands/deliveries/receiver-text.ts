import type { Delivery } from '../../../http/schemas/answers.ts';

type OfDelivery = Pick<Delivery, 'receiver'>;

/** What the receiver is called, also once its subscription is deleted. */
export const receiverText = ({ receiver }: OfDelivery): string => receiver.name ?? 'deleted subscription';

/** The app that subscribed, or the merchant. */
export const ownerText = ({ receiver }: OfDelivery): string => receiver.owner ?? 'merchant';
