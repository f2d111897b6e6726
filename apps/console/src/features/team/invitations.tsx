import { CircleCheck, CircleX, Hourglass, MailPlus, type LucideIcon } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { Invitation } from '@swath/client/operations.ts'
import { isForbidden } from '../../api/problem.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { useMemberNames } from '../../api/use-member-names.ts'
import { teamTexts } from '../../texts/team.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { TeamScreen } from './team-screen.tsx'
import { useAuthority, type MemberRole } from './use-authority.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = teamTexts.invitation
const input = { limit: 100 }
const affected = ['organizations.invitations.list'] as const

/** Who is invited to the organization, and the form that invites. */
export function Invitations() {
  const invitations = useOperation('organizations.invitations.list', input)
  return (
    <TeamScreen actions={<CopyCall operation="organizations.invitations.list" input={input} />}>
      {!isForbidden(invitations.error) && <InvitationForm />}
      <QueryView query={invitations} rows={3}>
        {({ invitations: known }) =>
          known.length === 0 ? (
            <EmptyState icon={MailPlus} title={words.none}>
              <p>{words.noneHelp}</p>
            </EmptyState>
          ) : (
            known.map((invitation) => <InvitationRow key={invitation.id} invitation={invitation} />)
          )
        }
      </QueryView>
    </TeamScreen>
  )
}

function InvitationForm() {
  const { roles } = useAuthority()
  const projects = useOperation('projects.list', {})
  const invite = useCommand('organizations.invitations.create', affected)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('member')
  const [project_id, setProject] = useState('')
  const request = { email: email.trim(), role, projects: project_id === '' ? [] : [{ project_id }] }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    invite.mutate(request, { onSuccess: () => setEmail('') })
  }
  return (
    <Section title={words.heading}>
      <form className={layout['stack8']} onSubmit={submit}>
        <TextField label={words.email} help={words.help} type="email" required value={email} onChange={setEmail} />
        <div className={layout['fields']}>
          <SelectField
            label={teamTexts.member.role}
            value={role}
            onChange={(next) => setRole(next as MemberRole)}
            choices={roles.map((value) => ({
              value,
              label: `${teamTexts.roles[value]}: ${teamTexts.roleHelp[value]}`,
            }))}
          />
          <SelectField
            label={words.project}
            value={project_id}
            onChange={setProject}
            choices={[
              { value: '', label: words.projectNone },
              ...(projects.data?.projects ?? [])
                .filter(({ is_archived }) => !is_archived)
                .map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </div>
        <div className={layout['wrap']}>
          <Button type="submit" kind="primary" icon={MailPlus} isPending={invite.isPending}>
            {words.invite}
          </Button>
          <CopyCall operation="organizations.invitations.create" input={request} />
        </div>
        {invite.data && <p role="status">{words.sent(invite.data.invitation.email)}</p>}
        {invite.isError && <ProblemNote error={invite.error} />}
      </form>
    </Section>
  )
}

const stateLooks: Readonly<Record<Invitation['state'], readonly [LucideIcon, Tone]>> = {
  pending: [Hourglass, 'active'],
  accepted: [CircleCheck, 'good'],
  revoked: [CircleX, 'neutral'],
  expired: [CircleX, 'neutral'],
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, state, invited_by, expires_at, sent_at } = invitation
  const resend = useCommand('organizations.invitations.resend', affected)
  const revoke = useCommand('organizations.invitations.revoke', affected)
  const nameOf = useMemberNames()
  const [icon, tone] = stateLooks[state]
  return (
    <article className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`} aria-label={email}>
      <header className={layout['spread']}>
        <strong className={typography['anywhere']}>{email}</strong>
        <Badge icon={icon} tone={tone}>
          {words.states[state]}
        </Badge>
      </header>
      <p className={typography['muted']}>
        {teamTexts.roles[role]} · {words.by(nameOf(invited_by))}
        {state === 'pending' && (
          <>
            {' '}
            · {words.validUntil} <Time at={expires_at} />
          </>
        )}
      </p>
      {state === 'pending' && sent_at === null && <p className={typography['muted']}>{words.notSent}</p>}
      {(state === 'pending' || state === 'expired') && (
        <div className={layout['wrap']}>
          <Button
            aria-label={words.resendNamed(email)}
            isPending={resend.isPending}
            onClick={() => resend.mutate({ invitation_id: id })}
          >
            {words.resend}
          </Button>
          {state === 'pending' && (
            <ConfirmButton
              label={words.revokeNamed(email)}
              verb={words.revoke}
              kind="danger"
              title={words.revokeTitle}
              subject={email}
              text={words.revokeText}
              cancel={teamTexts.cancel}
              call={['organizations.invitations.revoke', { invitation_id: id }]}
              command={revoke}
            />
          )}
        </div>
      )}
      {resend.isSuccess && <p role="status">{words.resent}</p>}
      {resend.isError && <ProblemNote error={resend.error} />}
    </article>
  )
}
