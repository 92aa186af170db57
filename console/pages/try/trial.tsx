import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { isPortal } from '../../api/client.ts';
import type { Installation } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Failure } from '../../parts/notice.tsx';
import { Panel } from '../../parts/page.tsx';
import { AnswerDetail } from './answer.tsx';
import { CallForm } from './call-form.tsx';
import type { Call } from './compose.ts';
import type { Operation } from './document.ts';
import { Earlier } from './earlier.tsx';
import { anyProductQuery } from './queries.ts';
import { isUsable, makeToken, sendAs, type Answer, type Token } from './send.ts';
import { sendInSession } from './send-in-session.ts';
import { TokenLine } from './token-line.tsx';

/** The document writes Markdown; its first paragraph has code spans at most. */
const Description = ({ text }: { readonly text: string }) => (
  <p>
    {(text.split('\n\n', 1)[0] ?? '').split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
  </p>
);

/** Answers that stay on the page. */
const KEPT = 6;

/** The app that the call is made as. */
export type Caller = Pick<Installation, 'id' | 'storeId' | 'name'> & { readonly scopes: readonly string[] };

interface TrialProps {
  readonly app: Caller;
  readonly operation: Operation;
  readonly token: Token | null;
  readonly onToken: (token: Token) => void;
}

export const Trial = ({ app, operation, token, onToken }: TrialProps) => {
  const product = useQuery(anyProductQuery(app.storeId));
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const sending = useMutation({
    mutationFn: async (call: Call) => {
      if (isPortal) return sendInSession(call);
      const usable = isUsable(token) ? token : await makeToken(app.id);
      onToken(usable);
      return sendAs(app.id, usable, call);
    },
    onSuccess: (answer) => setAnswers([answer, ...answers].slice(0, KEPT)),
  });
  const [latest, ...earlier] = answers;
  return (
    <div className="columns top">
      <Panel
        title={
          <>
            {operation.method} <code>{operation.path}</code>
          </>
        }
      >
        <div className="stack gap">
          {operation.description !== '' && <Description text={operation.description} />}
          <TokenLine token={token} appScopes={app.scopes} scopes={operation.scopes} />
          {product.isPending ? (
            <Skeleton lines={4} />
          ) : (
            <CallForm
              operation={operation}
              product={product.data ?? null}
              isBusy={sending.isPending}
              onSend={(call) => sending.mutate(call)}
            />
          )}
        </div>
      </Panel>
      <Panel title="Response">
        <div className="stack gap" aria-live="polite">
          {sending.isError && <Failure error={sending.error} />}
          {latest === undefined ? (
            <Empty title="Nothing sent yet">
              {operation.needsKey
                ? 'Press Send. Then press it again: the second response is a replay of the first.'
                : 'Press Send to see what the app gets.'}
            </Empty>
          ) : (
            <AnswerDetail key={answers.length} answer={latest} token={token?.text ?? null} storeId={app.storeId} appId={app.id} />
          )}
          {earlier.length > 0 && <Earlier answers={earlier} />}
        </div>
      </Panel>
    </div>
  );
};
