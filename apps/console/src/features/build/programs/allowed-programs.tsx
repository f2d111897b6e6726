import { Blocks } from 'lucide-react'
import type { Consent, UserSession } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { BuildScreen } from '../build-screen.tsx'
import { LastUse } from '../../../credentials/last-use.tsx'
import { ScopeLines } from '../scopes/scope-list.tsx'
import { findLastSession } from './last-session.ts'

const words = credentialsTexts.programs
const affected = ['users.consents.list', 'users.sessions.list'] as const

/** The programs that act for this person because they have consented. */
export function AllowedPrograms() {
  const consents = useOperation('users.consents.list', {})
  // A person who came in through a provider cannot read them, and sees no last use.
  const sessions = useOperation('users.sessions.list', {}).data?.sessions
  // Outside of the card, which is not listed any more once the consent has ended.
  const revoke = useCommand('users.consents.revoke', affected)
  return (
    <BuildScreen actions={<CopyCall operation="users.consents.list" input={{}} />}>
      <QueryView query={consents} rows={3}>
        {({ consents: known }) =>
          known.length === 0 ? (
            <EmptyState icon={Blocks} title={words.none}>
              <p>{words.noneHelp}</p>
            </EmptyState>
          ) : (
            known.map((consent) => (
              <ProgramCard
                key={`${consent.client_id} ${consent.organization_id}`}
                consent={consent}
                sessions={sessions}
                revoke={revoke}
              />
            ))
          )
        }
      </QueryView>
    </BuildScreen>
  )
}

interface ProgramCardProps {
  readonly consent: Consent
  readonly sessions: readonly UserSession[] | undefined
  readonly revoke: ReturnType<typeof useCommand<'users.consents.revoke'>>
}

function ProgramCard({ consent, sessions, revoke }: ProgramCardProps) {
  const { client_id, client_name: name, organization_id, scopes, created_at, updated_at } = consent
  const organizations = useOperation('users.organizations.list', {}).data?.organizations
  const session = sessions && findLastSession(sessions, consent)
  return (
    <Section title={name}>
      <Facts
        facts={[
          [words.id, <Identifier key="id" id={client_id} />],
          [words.organization, organizations?.find(({ id }) => id === organization_id)?.name],
          [words.may, scopes.length === 0 ? words.nothing : <ScopeLines key="scopes" scopes={scopes} />],
          [words.since, <Time key="since" at={created_at} />],
          [words.changed, updated_at !== created_at && <Time key="changed" at={updated_at} />],
          [
            words.used,
            session === undefined ? null : session === null ? (
              words.notUsed
            ) : (
              <LastUse key="used" at={session.last_used_at} address={session.address} />
            ),
          ],
        ]}
      />
      <div>
        <ConfirmButton
          label={words.revokeNamed(name)}
          verb={words.revoke}
          kind="danger"
          title={words.revokeTitle(name)}
          subject={name}
          text={words.revokeText}
          cancel={words.keep}
          call={['users.consents.revoke', { client_id, organization_id }]}
          command={revoke}
        />
      </div>
    </Section>
  )
}
