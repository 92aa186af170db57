import { Channel, type Answering, type Frame, type Topics } from '../../src/adapters/wiring/processes/channel.ts';

/** Two ends of a channel in one process, with the frames that went over it. */
export const channelPair = <Asked extends Topics<Asked>>(answering: Answering<Asked>, patienceMs = 60_000) => {
  const frames: Frame<string>[] = [];
  const heard: string[] = [];
  const errors: unknown[] = [];
  let isCut = false;
  const common = { patienceMs, onError: (error: unknown) => void errors.push(error) };
  const asking = new Channel<Asked, object, string, string>(
    {
      ...common,
      answering: {},
      send: (frame) => {
        frames.push(frame);
        if (!isCut) other.receive(JSON.parse(JSON.stringify(frame)) as Frame<string>);
      },
    },
    () => undefined,
  );
  const other = new Channel<object, Asked, string, string>(
    {
      ...common,
      answering,
      send: (frame) => {
        frames.push(frame);
        asking.receive(JSON.parse(JSON.stringify(frame)) as Frame<string>);
      },
    },
    (news) => heard.push(news),
  );
  return {
    asking,
    frames,
    heard,
    errors,
    /** Nothing arrives at the other end any more. */
    cut: () => {
      isCut = true;
    },
  };
};
