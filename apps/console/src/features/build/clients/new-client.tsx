import { useState } from 'react'
import { useCommand } from '../../../api/use-operation.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { Button } from '../../../ui/button.tsx'
import { CopiedValue } from '../../../credentials/copied-value.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/screen.tsx'
import { SecretOnce } from '../../../credentials/secret-once.tsx'
import { createClientDraft } from './client-draft.ts'
import { ClientForm } from './client-form.tsx'

const words = credentialsTexts.clients

/** The address from which a program learns all other ones. */
const discoveryUrl = (): string => `${location.origin}/realms/public/.well-known/openid-configuration`

/** Registers a client; its secret is shown once, and then what a program is configured with. */
export function NewClient({ onDone }: { readonly onDone: () => void }) {
  const create = useCommand('oauth_clients.create', ['oauth_clients.list'])
  const [initial] = useState(() => createClientDraft(null))
  if (!create.data)
    return (
      <Section title={words.new}>
        <ClientForm initial={initial} clientId={null} command={create} onCancel={onDone} />
      </Section>
    )
  const { client, client_secret } = create.data
  const facts = (
    <Facts
      facts={[
        [words.id, <CopiedValue key="id" text={client.client_id} copyLabel={words.copyId} />],
        [words.discovery, <CopiedValue key="discovery" text={discoveryUrl()} copyLabel={words.copyDiscovery} />],
      ]}
    />
  )
  return (
    <Section title={client.name}>
      {client_secret === null ? (
        <>
          <p role="status">{words.registered}</p>
          {facts}
          <div>
            <Button onClick={onDone}>{credentialsTexts.done}</Button>
          </div>
        </>
      ) : (
        <SecretOnce
          text={words.secret}
          secret={client_secret}
          copyLabel={words.copySecret}
          doneLabel={credentialsTexts.done}
          onDone={onDone}
        >
          {facts}
        </SecretOnce>
      )}
    </Section>
  )
}
