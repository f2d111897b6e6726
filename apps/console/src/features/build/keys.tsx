import { Link } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '@swath/client/operations.ts'
import { isForbidden } from '../../api/problem.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { buildTexts } from '../../texts/build.ts'
import { Button } from '../../ui/button.tsx'
import { CallSamples } from '../../ui/calls/call-samples.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { BuildScreen } from './build-screen.tsx'
import { firstCall } from './first-call.ts'
import { KeyTable } from './key-table.tsx'
import { NewKey } from './new-key.tsx'
import layout from '../../ui/layout.module.css'

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
          {!isForbidden(keys.error) && (
            <Button kind="primary" icon={Plus} onClick={() => setCreating({ replaced: null })}>
              {buildTexts.newKey}
            </Button>
          )}
        </>
      }
    >
      {creating && (
        <NewKey key={creating.replaced?.id ?? 'new'} replaced={creating.replaced} onDone={() => setCreating(null)} />
      )}
      <QueryView query={keys} rows={3}>
        {({ api_keys }) =>
          api_keys.length === 0 && !creating ? (
            <>
              <EmptyState icon={KeyRound} title={buildTexts.noKeys}>
                <p>{buildTexts.noKeysHelp}</p>
                <Button icon={Plus} onClick={() => setCreating({ replaced: null })}>
                  {buildTexts.firstKey}
                </Button>
              </EmptyState>
              <FirstCalls />
            </>
          ) : (
            <KeyTable keys={api_keys} onReplace={(replaced) => setCreating({ replaced })} />
          )
        }
      </QueryView>
    </BuildScreen>
  )
}

/** The first uses of a key, until there is one: a call to copy, and links to the others. */
function FirstCalls() {
  return (
    <>
      <Section title={buildTexts.sample}>
        <CallSamples {...firstCall} />
      </Section>
      <Section title={buildTexts.next}>
        <ul className={`${layout['stack4']} ${layout['bullets']}`}>
          <li>
            <Link to="/build/api" search={keepView}>
              {buildTexts.nextApi}
            </Link>
          </li>
          <li>
            <Link to="/build/webhooks" search={keepView}>
              {buildTexts.nextWebhooks}
            </Link>
          </li>
          <li>
            <a href="/docs">{buildTexts.nextDocs}</a>
          </li>
        </ul>
      </Section>
    </>
  )
}
