import { isPortal } from '../../api/client.ts';
import { spanText } from '../../parts/time-words.ts';
import { useSecond } from '../../parts/time.tsx';
import { mayCall } from './document.ts';
import type { Token } from './send.ts';

interface TokenLineProps {
  readonly token: Token | null;
  readonly appScopes: readonly string[];
  /** The chosen call needs one of them. */
  readonly scopes: readonly string[];
}

const Countdown = ({ endsAt }: { readonly endsAt: number }) => {
  const left = endsAt - useSecond();
  return (
    <span className="num">
      {left > 0 ? `The token expires in ${spanText(left)}.` : 'The token has expired. Send creates a new one.'}
    </span>
  );
};

const TokenState = ({ token }: { readonly token: Token | null }) =>
  token === null ? 'Send creates a token that is valid for ten minutes.' : <Countdown endsAt={token.endsAt} />;

/** The token that the page calls with, and whether its scopes are enough. */
export const TokenLine = ({ token, appScopes, scopes }: TokenLineProps) => (
  <p className="mute">
    {isPortal ? 'Sent with your session, as the app.' : <TokenState token={token} />}{' '}
    {scopes.length === 0 ? (
      'Every app may make this call.'
    ) : mayCall(token?.scopes ?? appScopes, scopes) ? (
      <>
        The app has the scope <code>{scopes.join(' or ')}</code>.
      </>
    ) : (
      <span className="tone-warn">
        The app does not have the scope <code>{scopes.join(' or ')}</code>: expect a 403.
      </span>
    )}
  </p>
);
