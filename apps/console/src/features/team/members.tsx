import { Navigate } from '@tanstack/react-router'
import type { Member } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { teamTexts } from '../../texts/team.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SpendLimits } from './spend-limits.tsx'
import { StoppedDelegations } from './stopped-delegations.tsx'
import { TeamScreen } from './team-screen.tsx'
import { memberRoles, useAuthority, type Authority, type MemberRole } from './use-authority.ts'
import { UserRound } from 'lucide-react'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = teamTexts.member

/** Members with their roles and spend limits, and what has stopped with those who left. */
export function Members() {
  const members = useOperation('organizations.members.list', {})
  const authority = useAuthority()
  if (authority.role !== null && !authority.mayAdminister) return <Navigate to="/team/organization" search={keepView} />
  return (
    <TeamScreen actions={<CopyCall operation="organizations.members.list" input={{}} />}>
      <QueryView query={members} rows={3}>
        {({ members: known }) =>
          known.map((member) => <MemberRow key={member.user_id} member={member} authority={authority} />)
        }
      </QueryView>
      <StoppedDelegations />
    </TeamScreen>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly authority: Authority
}

function MemberRow({ member, authority }: MemberRowProps) {
  const name = member.name ?? member.email
  const isSelf = member.user_id === authority.user
  // Nobody acts on a higher role; who wants to go leaves.
  const mayChange = authority.roles.includes(member.role)
  return (
    <section className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`} aria-label={name}>
      <header className={layout['spread']}>
        <span className={typography['anywhere']}>
          <strong>{name}</strong>
          {member.name !== null && <span className={typography['muted']}> {member.email}</span>}
        </span>
        {isSelf ? (
          <Badge icon={UserRound} tone="active">
            {teamTexts.you}
          </Badge>
        ) : (
          !mayChange && <span className={typography['muted']}>{teamTexts.roles[member.role]}</span>
        )}
      </header>
      <p className={typography['muted']}>
        {isSelf && `${teamTexts.roles[member.role]} · `}
        {words.joined} <Time at={member.created_at} />
      </p>
      {!isSelf && mayChange && <MemberActs member={member} name={name} authority={authority} />}
      <SpendLimits member={member} name={name} />
    </section>
  )
}

const affected = ['organizations.members.list', 'organizations.delegations.list', 'users.me'] as const

function MemberActs({ member: { user_id, role }, name, authority }: MemberRowProps & { readonly name: string }) {
  const setRole = useCommand('organizations.members.set_role', affected)
  const remove = useCommand('organizations.members.remove', affected)
  const handOver = useCommand('organizations.transfer_ownership', affected)
  const dialog = { subject: name, cancel: teamTexts.cancel } as const
  return (
    <>
      <div className={layout['fields']}>
        <SelectField
          label={words.roleOf(name)}
          value={role}
          disabled={setRole.isPending}
          onChange={(next) => setRole.mutate({ user_id, role: next as MemberRole })}
          choices={memberRoles
            .filter((known) => authority.roles.includes(known))
            .map((value) => ({ value, label: `${teamTexts.roles[value]}: ${teamTexts.roleHelp[value]}` }))}
        />
        {authority.role === 'owner' && role !== 'owner' && (
          <ConfirmButton
            {...dialog}
            label={words.handOverNamed(name)}
            verb={words.handOver}
            kind="plain"
            title={words.handOverTitle(name)}
            text={words.handOverText}
            call={['organizations.transfer_ownership', { user_id }]}
            command={handOver}
          />
        )}
        <ConfirmButton
          {...dialog}
          label={words.removeNamed(name)}
          verb={words.remove}
          kind="danger"
          title={words.removeTitle(name)}
          text={words.removeText}
          call={['organizations.members.remove', { user_id }]}
          command={remove}
        />
      </div>
      {setRole.isError && <ProblemNote error={setRole.error} />}
    </>
  )
}
