import { useQuery } from '@tanstack/react-query';
import { CircleUser } from 'lucide-react';

import { operatorQuery } from '../api/queries.ts';

/** Whose session it is, and what it may do. */
export const SignedInAs = () => {
  const { data } = useQuery(operatorQuery);
  if (!data) return null;
  return (
    <p className="signed-in" title={`Signed in as ${data.name}`}>
      <CircleUser size={16} aria-hidden />
      <span className="clip">{data.name}</span>
      {data.operatorId !== null && <span className="mute">{data.role}</span>}
    </p>
  );
};
