import { KeySquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { isForbidden } from '../../../api/problem.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { BuildScreen } from '../build-screen.tsx'
import { NewToken } from './new-token.tsx'
import { TokenTable } from './token-table.tsx'

const words = credentialsTexts.tokens

/** The access tokens of this person for this organization. */
export function AccessTokens() {
  const tokens = useOperation('users.tokens.list', {})
  const [isCreating, setCreating] = useState(false)
  return (
    <BuildScreen
      actions={
        <>
          <CopyCall operation="users.tokens.list" input={{}} />
          {!isForbidden(tokens.error) && (
            <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
              {words.new}
            </Button>
          )}
        </>
      }
    >
      {isCreating && <NewToken onDone={() => setCreating(false)} />}
      <QueryView query={tokens} rows={3}>
        {({ tokens: known }) =>
          known.length > 0 ? (
            <TokenTable tokens={known} />
          ) : (
            !isCreating && (
              <EmptyState icon={KeySquare} title={words.none}>
                <p>{words.noneHelp}</p>
              </EmptyState>
            )
          )
        }
      </QueryView>
    </BuildScreen>
  )
}
