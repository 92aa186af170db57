import { useQuery } from '@tanstack/react-query';

import type { Operator } from '../../api/types.ts';
import { Claim, Found } from '../../parts/found.tsx';
import { Methods } from '../account/methods.tsx';
import { methodsQuery } from '../account/queries.ts';

/** How an operator signs in, beside links and tokens. */
export const OperatorMethods = ({ operator }: { readonly operator: Operator }) => {
  const methods = useQuery(methodsQuery(operator.id));
  return (
    <section className="stack">
      <h3>Passkeys and accounts</h3>
      <Found query={methods}>
        {({ items }) =>
          items.length > 0 ? (
            <Methods items={items} path={`/operators/${operator.id}/sign-in-methods`} />
          ) : (
            <Claim>
              <p className="mute">
                None. <bdi>{operator.name}</bdi> adds passkeys after signing in, below the name in the menu.
              </p>
            </Claim>
          )
        }
      </Found>
    </section>
  );
};
