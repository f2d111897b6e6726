import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { BuildScreen } from './build-screen.tsx'
import { KeyRow } from './key-row.tsx'
import { NewKey } from './new-key.tsx'

/** Keys for programs. */
export function Keys() {
  const keys = useOperation('api_keys.list', {})
  // The key that the new one replaces, or nothing in particular.
  const [creating, setCreating] = useState<{ readonly replaced: ApiKey | null } | null>(null)
  return (
    <BuildScreen
      actions={
        <>
          <CopyCall operation="api_keys.list" input={{}} />
          <Button kind="primary" icon={Plus} onClick={() => setCreating({ replaced: null })}>
            {texts.build.newKey}
          </Button>
        </>
      }
    >
      {creating && (
        <NewKey key={creating.replaced?.id ?? 'new'} replaced={creating.replaced} onDone={() => setCreating(null)} />
      )}
      <QueryView query={keys} rows={3}>
        {({ api_keys }) =>
          api_keys.length === 0 && !creating ? (
            <EmptyState icon={KeyRound} title={texts.build.noKeys}>
              <p>{texts.build.noKeysHelp}</p>
              <Button icon={Plus} onClick={() => setCreating({ replaced: null })}>
                {texts.build.firstKey}
              </Button>
            </EmptyState>
          ) : (
            <KeyList keys={api_keys} onReplace={(replaced) => setCreating({ replaced })} />
          )
        }
      </QueryView>
    </BuildScreen>
  )
}

/** Keys that work, and below them those that were revoked. */
function KeyList({ keys, onReplace }: { keys: readonly ApiKey[]; onReplace: (key: ApiKey) => void }) {
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null)
  return (
    <>
      {keys
        .filter(({ revoked_at }) => revoked_at === null)
        .map((key) => (
          <KeyRow key={key.id} apiKey={key} onReplace={() => onReplace(key)} />
        ))}
      {revoked.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
    </>
  )
}
