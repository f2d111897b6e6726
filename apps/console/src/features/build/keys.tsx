import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { BuildScreen } from './build-screen.tsx'
import { NewKey } from './new-key.tsx'

type ApiKey = OutputOf<'api_keys.list'>['api_keys'][number]

/** Keys for programs. */
export function Keys() {
  const keys = useOperation('api_keys.list', {})
  const [isCreating, setCreating] = useState(false)
  return (
    <BuildScreen
      actions={
        <>
          <CopyCall operation="api_keys.list" input={{}} />
          <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
            {texts.build.newKey}
          </Button>
        </>
      }
    >
      {isCreating && <NewKey onDone={() => setCreating(false)} />}
      <QueryView query={keys} rows={3}>
        {({ api_keys }) =>
          api_keys.length === 0 && !isCreating ? (
            <EmptyState icon={KeyRound} title={texts.build.noKeys}>
              <p>{texts.build.noKeysHelp}</p>
            </EmptyState>
          ) : (
            api_keys.map((key) => <KeyRow key={key.id} apiKey={key} />)
          )
        }
      </QueryView>
    </BuildScreen>
  )
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const [isAsking, setAsking] = useState(false)
  const revoke = useCommand('api_keys.revoke', ['api_keys.list'])
  const words = texts.build.key
  return (
    <Section
      title={apiKey.name}
      actions={
        apiKey.revoked_at === null ? (
          <Button kind="danger" onClick={() => setAsking(true)}>
            {texts.build.revoke}
          </Button>
        ) : (
          texts.build.revoked
        )
      }
    >
      <Facts
        facts={[
          [words.prefix, <Identifier key="prefix" id={`${apiKey.prefix}…`} />],
          [texts.build.scopes, apiKey.permissions.join(', ')],
          [words.used, apiKey.last_used_at ? <Time key="used" at={apiKey.last_used_at} /> : words.never],
          [words.ends, apiKey.expires_at ? <Time key="ends" at={apiKey.expires_at} /> : words.never],
        ]}
      />
      {isAsking && (
        <Dialog
          title={texts.build.revokeTitle}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{texts.build.keep}</Button>
              <Button
                kind="danger"
                isPending={revoke.isPending}
                onClick={() => revoke.mutate({ key_id: apiKey.id }, { onSuccess: () => setAsking(false) })}
              >
                {texts.build.revoke}
              </Button>
            </>
          }
        >
          <p>{texts.build.revokeText}</p>
          {revoke.isError && <ProblemNote error={revoke.error} />}
        </Dialog>
      )}
    </Section>
  )
}
