import { CircleCheck, CircleX, Hourglass, type LucideIcon } from 'lucide-react'
import type { SupportAccess as Access } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { teamTexts } from '../../texts/team.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { useAuthority } from './use-authority.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = teamTexts.support
const input = { limit: 50 }
const affected = ['organizations.support_access.list'] as const

/** What people who run the platform have asked for; owners decide, owners and admins end. */
export function SupportAccess() {
  const accesses = useOperation('organizations.support_access.list', input)
  return (
    <Section title={words.heading} actions={<CopyCall operation="organizations.support_access.list" input={input} />}>
      <p className={typography['muted']}>{words.help}</p>
      <QueryView query={accesses} rows={2}>
        {({ support_accesses: known }) =>
          known.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <ul className={layout['stack12']}>
              {known.map((access) => (
                <AccessRow key={access.id} access={access} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  )
}

const stateLooks: Readonly<Record<Access['state'], readonly [LucideIcon, Tone]>> = {
  requested: [Hourglass, 'active'],
  granted: [CircleCheck, 'good'],
  refused: [CircleX, 'neutral'],
  ended: [CircleX, 'neutral'],
  expired: [CircleX, 'neutral'],
}

function AccessRow({ access }: { access: Access }) {
  const { operator_email: email, state, reason, hours, requested_at, expires_at } = access
  const [icon, tone] = stateLooks[state]
  return (
    <li className={layout['stack8']} aria-label={email}>
      <div className={layout['spread']}>
        <strong className={typography['anywhere']}>{email}</strong>
        <Badge icon={icon} tone={tone}>
          {words.states[state]}
        </Badge>
      </div>
      <p className={typography['anywhere']}>{reason}</p>
      <p className={typography['muted']}>
        {words.hours(hours)} · {state === 'granted' ? words.until : words.requested}{' '}
        <Time at={state === 'granted' ? expires_at : requested_at} />
      </p>
      <AccessActs access={access} />
    </li>
  )
}

function AccessActs({ access: { id, state, operator_email: subject, hours } }: { access: Access }) {
  const { role } = useAuthority()
  const grant = useCommand('organizations.support_access.grant', affected)
  const refuse = useCommand('organizations.support_access.refuse', affected)
  const end = useCommand('organizations.support_access.end', affected)
  const dialog = { subject, cancel: teamTexts.cancel } as const
  const input = { access_id: id }
  return (
    <div className={layout['wrap']}>
      {state === 'requested' && role === 'owner' && (
        <>
          <ConfirmButton
            {...dialog}
            label={words.grantNamed(subject)}
            verb={words.grant}
            kind="primary"
            title={words.grantTitle}
            text={words.grantText(words.hours(hours))}
            call={['organizations.support_access.grant', input]}
            command={grant}
          />
          <ConfirmButton
            {...dialog}
            label={words.refuseNamed(subject)}
            verb={words.refuse}
            kind="plain"
            title={words.refuseTitle}
            text={words.refuseText}
            call={['organizations.support_access.refuse', input]}
            command={refuse}
          />
        </>
      )}
      {state === 'granted' && (
        <ConfirmButton
          {...dialog}
          label={words.endNamed(subject)}
          verb={words.end}
          kind="danger"
          title={words.endTitle}
          text={words.endText}
          call={['organizations.support_access.end', input]}
          command={end}
        />
      )}
    </div>
  )
}
