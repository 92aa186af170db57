export type FeedTopic = 'store' | 'installation';

export const topicKey = (topic: FeedTopic, id: string): string => `${topic}/${id}`;
