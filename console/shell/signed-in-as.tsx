import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { CircleUser } from '../icons/index.ts';
import { operatorQuery } from '../api/queries.ts';

/** Names the owner of the session and their rights, with a link to their sign-in methods. */
export const SignedInAs = () => {
  const { data } = useQuery(operatorQuery);
  if (!data) return null;
  return (
    <Link to="/account" className="signed-in" title={`Signed in as ${data.name}. How you sign in.`}>
      <CircleUser size={16} aria-hidden />
      <bdi className="clip">{data.name}</bdi>
      {data.operatorId !== null && <span className="mute">{data.role}</span>}
    </Link>
  );
};
