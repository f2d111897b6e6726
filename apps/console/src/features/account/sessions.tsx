import { MonitorCheck } from 'lucide-react'
import type { UserSession } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { personTexts } from '../../texts/person.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { AccountScreen } from './account-screen.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = personTexts.session

/** Where a person is signed in. */
export function Sessions() {
  const sessions = useOperation('users.sessions.list', {})
  const end = useCommand('users.sessions.end', ['users.sessions.list'])
  return (
    <AccountScreen
      actions={
        <>
          <CopyCall operation="users.sessions.list" input={{}} />
          <ConfirmButton
            label={words.endOthers}
            verb={words.endOthers}
            kind="danger"
            title={words.endOthersTitle}
            subject={personTexts.sessions}
            text={words.endText}
            cancel={personTexts.cancel}
            call={['users.sessions.end', { session_id: null }]}
            command={end}
          />
        </>
      }
    >
      <QueryView query={sessions} rows={3}>
        {({ sessions: known }) => known.map((session) => <SessionRow key={session.id} session={session} />)}
      </QueryView>
    </AccountScreen>
  )
}

function SessionRow({ session }: { session: UserSession }) {
  const { id, kind, client_id, address, user_agent, current, last_used_at } = session
  const end = useCommand('users.sessions.end', ['users.sessions.list'])
  const name = [words.kinds[kind], client_id].filter((text) => text !== null).join(' · ')
  return (
    <article className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`} aria-label={name}>
      <header className={layout['spread']}>
        <strong>{name}</strong>
        {current && (
          <Badge icon={MonitorCheck} tone="active">
            {words.current}
          </Badge>
        )}
      </header>
      {user_agent && <p className={`${typography['anywhere']} ${typography['muted']}`}>{user_agent}</p>}
      <p className={typography['muted']}>
        {words.used} <Time at={last_used_at} /> {address && words.from(address)}
      </p>
      {!current && (
        <div>
          <ConfirmButton
            label={words.endNamed(name)}
            verb={words.end}
            kind="plain"
            confirmKind="danger"
            title={words.endTitle}
            subject={name}
            text={words.endText}
            cancel={personTexts.cancel}
            call={['users.sessions.end', { session_id: id }]}
            command={end}
          />
        </div>
      )}
    </article>
  )
}
