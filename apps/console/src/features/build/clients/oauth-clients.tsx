import { AppWindow, Plus } from 'lucide-react'
import { useState } from 'react'
import { isForbidden } from '../../../api/problem.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { BuildScreen } from '../build-screen.tsx'
import { ClientCard } from './client-card.tsx'
import { NewClient } from './new-client.tsx'

const words = credentialsTexts.clients

/** The programs of the organization that act for people, or for the organization. */
export function OAuthClients() {
  const clients = useOperation('oauth_clients.list', {})
  const [isCreating, setCreating] = useState(false)
  return (
    <BuildScreen
      actions={
        <>
          <CopyCall operation="oauth_clients.list" input={{}} />
          {!isForbidden(clients.error) && (
            <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
              {words.new}
            </Button>
          )}
        </>
      }
    >
      {isCreating && <NewClient onDone={() => setCreating(false)} />}
      <QueryView query={clients} rows={3}>
        {({ clients: known }) =>
          known.length === 0 && !isCreating ? (
            <EmptyState icon={AppWindow} title={words.none}>
              <p>{words.noneHelp}</p>
              <Button icon={Plus} onClick={() => setCreating(true)}>
                {words.first}
              </Button>
            </EmptyState>
          ) : (
            known.map((client) => <ClientCard key={client.client_id} client={client} />)
          )
        }
      </QueryView>
    </BuildScreen>
  )
}
