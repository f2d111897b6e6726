import { Ban, Globe, ServerCog } from 'lucide-react'
import { useState } from 'react'
import type { OAuthClient } from '@swath/client/operations.ts'
import { useMemberNames } from '../../../api/use-member-names.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CopiedValue } from '../../../credentials/copied-value.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import { Section } from '../../../ui/screen.tsx'
import { SecretOnce } from '../../../credentials/secret-once.tsx'
import { ScopeList } from '../scopes/scope-list.tsx'
import { ClientActs } from './client-acts.tsx'
import { createClientDraft } from './client-draft.ts'
import { ClientForm } from './client-form.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = credentialsTexts.clients
const affected = ['oauth_clients.list'] as const

/** A client, and what can be done with it. */
export function ClientCard({ client }: { client: OAuthClient }) {
  const rotate = useCommand('oauth_clients.rotate_secret', affected)
  const [isChanging, setChanging] = useState(false)
  const secret = rotate.data?.client_secret
  return (
    <Section title={client.name} actions={<ClientBadges client={client} />}>
      {isChanging ? (
        <ChangeClient client={client} onDone={() => setChanging(false)} />
      ) : (
        <>
          <ClientFacts client={client} />
          {secret ? (
            <SecretOnce
              text={words.secret}
              secret={secret}
              copyLabel={words.copySecret}
              doneLabel={credentialsTexts.done}
              onDone={rotate.reset}
            />
          ) : (
            <ClientActs client={client} rotate={rotate} onChange={() => setChanging(true)} />
          )}
        </>
      )}
    </Section>
  )
}

const ClientBadges = ({ client: { type, disabled_at } }: { client: OAuthClient }) => (
  <>
    {disabled_at !== null && (
      <Badge icon={Ban} tone="warning">
        {words.disabled}
      </Badge>
    )}
    <Badge icon={type === 'confidential' ? ServerCog : Globe} tone="neutral">
      {words.typeNames[type]}
    </Badge>
  </>
)

function ClientFacts({ client }: { client: OAuthClient }) {
  const nameOf = useMemberNames()
  const { client_id, redirect_uris, scopes, grants, open_to_all, former_secret_expires_at } = client
  const { created_at, created_by, home_url } = client
  const hasFormerSecret = former_secret_expires_at !== null && Date.parse(former_secret_expires_at) > Date.now()
  return (
    <Facts
      facts={[
        [words.id, <CopiedValue key="id" text={client_id} copyLabel={words.copyId} />],
        [words.grants, <Lines key="grants" lines={grants.map((grant) => words.grantTexts[grant])} />],
        [words.redirects, redirect_uris.length > 0 && <Lines key="uris" lines={redirect_uris} />],
        [credentialsTexts.programs.may, <ScopeList key="scopes" scopes={scopes} />],
        [words.who, open_to_all ? words.audience.all : words.audience.members],
        [words.homeUrl, home_url],
        [
          words.registeredAt,
          <span key="registered">
            <Time at={created_at} /> {credentialsTexts.by(nameOf(created_by))}
          </span>,
        ],
        [words.formerSecret, hasFormerSecret && <Time key="former" at={former_secret_expires_at} />],
      ]}
    />
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className={layout['stack2']}>
    {lines.map((line) => (
      <li key={line} className={typography['anywhere']}>
        {line}
      </li>
    ))}
  </ul>
)

function ChangeClient({ client, onDone }: { client: OAuthClient; onDone: () => void }) {
  const update = useCommand('oauth_clients.update', affected)
  const [initial] = useState(() => createClientDraft(client))
  const { client_id } = client
  return (
    <ClientForm
      initial={initial}
      clientId={client_id}
      command={{
        ...update,
        mutate: ({ type: _type, ...changes }) => update.mutate({ client_id, ...changes }, { onSuccess: onDone }),
      }}
      onCancel={onDone}
    />
  )
}
