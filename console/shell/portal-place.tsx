import { useQuery } from '@tanstack/react-query';
import { Blocks } from 'lucide-react';

import { sessionQuery } from '../api/queries.ts';

/** The app whose console this is, and the store that it is installed on. */
export const PortalPlace = () => {
  const { data } = useQuery(sessionQuery);
  return (
    <p className="row">
      <Blocks size={16} aria-hidden />
      <span className="clip">
        {data?.installation?.name ?? '…'} <span className="mute">on {data?.store?.name ?? '…'}</span>
      </span>
    </p>
  );
};
