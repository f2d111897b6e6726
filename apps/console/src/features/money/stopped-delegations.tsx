import { usePrincipal } from '../../api/use-principal.ts'
import { useMemberNames } from '../../api/use-member-names.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { moneyTexts } from '../../texts/money.ts'
import { uiTexts } from '../../texts/ui.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import styles from './money.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

type Delegation = OutputOf<'organizations.delegations.list'>['delegations'][number]

const words = moneyTexts.stopped

/**
 * The delegations that have stopped because their creator may no longer act, for an owner or admin to take over;
 * nothing for others, or while none has stopped.
 */
export function StoppedDelegations() {
  const role = usePrincipal().data?.organization?.role
  const mayAct = role === 'owner' || role === 'admin'
  const stopped = useOperation('organizations.delegations.list', {}, { enabled: mayAct })
  if (!mayAct || stopped.data?.total === 0) return null
  return (
    <section
      className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']} ${styles['member']}`}
      aria-label={words.heading}
    >
      <header className={layout['split']}>
        <strong>{words.heading}</strong>
        <CopyCall operation="organizations.delegations.list" input={{}} />
      </header>
      <p className={typography['muted']}>{words.help}</p>
      <QueryView query={stopped} rows={2}>
        {({ delegations, total }) => (
          <>
            <ul className={layout['stack8']}>
              {delegations.map((delegation) => (
                <StoppedRow key={`${delegation.kind} ${delegation.id}`} delegation={delegation} />
              ))}
            </ul>
            {total > delegations.length && (
              <p className={typography['muted']}>{words.more(total - delegations.length)}</p>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

function StoppedRow({ delegation }: { delegation: Delegation }) {
  const { kind, id, name, user_id, stop_reason, created_at } = delegation
  const nameOf = useMemberNames()
  const takeOver = useCommand('organizations.delegations.take_over', ['organizations.delegations.list'])
  return (
    <li className={layout['spread']}>
      <span>
        <strong>{words.named(words.kinds[kind], name)}</strong>
        <br />
        <small className={typography['muted']}>
          {stop_reason && words.reasons[stop_reason]} {user_id && words.createdBy(nameOf(user_id))} ·{' '}
          <Time at={created_at} />
        </small>
      </span>
      <ConfirmButton
        label={words.takeOverNamed(name)}
        verb={words.takeOver}
        kind="plain"
        title={words.title(name)}
        subject={words.named(words.kinds[kind], name)}
        text={words.text}
        cancel={uiTexts.cancel}
        call={['organizations.delegations.take_over', { kind, delegation_id: id }]}
        command={takeOver}
      />
    </li>
  )
}
