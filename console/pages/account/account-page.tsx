import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { operatorQuery } from '../../api/queries.ts';
import { Empty } from '../../parts/empty.tsx';
import { Found } from '../../parts/found.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { Methods } from './methods.tsx';
import { ownMethodsQuery } from './queries.ts';

const OwnMethods = () => {
  const list = useQuery(ownMethodsQuery);
  return (
    <Found query={list}>
      {({ items }) =>
        items.length > 0 ? (
          <Methods items={items} path="/operator/sign-in-methods" />
        ) : (
          <div className="panel">
            <Empty title="No passkeys yet">
              With a passkey you sign in by your fingerprint, your face or a PIN. If you lose it, an owner gives you a sign-in
              link.
            </Empty>
          </div>
        )
      }
    </Found>
  );
};

export const AccountPage = () => {
  const { data } = useQuery(operatorQuery);
  const isOperator = data !== undefined && data.operatorId !== null;
  return (
    <Page title="Your sign-in" intro="How do you sign in to this console, beside links?" actions={isOperator && <AddPasskey />}>
      {isOperator && <OwnMethods />}
      {data?.operatorId === null && (
        <Notice tone="info" title="You signed in with the admin token.">
          Passkeys belong to people. <Link to="/operators">Add yourself as an operator</Link> with the role owner, and sign in
          with your link.
        </Notice>
      )}
    </Page>
  );
};
