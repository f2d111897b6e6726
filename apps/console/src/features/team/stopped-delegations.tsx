import { useMemberNames } from '../../api/use-member-names.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { teamTexts } from '../../texts/team.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton, type ConfirmButtonProps } from '../../ui/confirm-button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Time } from '../../ui/figures.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { useAuthority } from './use-authority.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

type Delegation = OutputOf<'organizations.delegations.list'>['delegations'][number]

const words = teamTexts.stopped

/** The kinds whose secret is replaced. */
const kindsWithSecret: ReadonlySet<Delegation['kind']> = new Set(['api_key', 'worker_token'])

/**
 * The delegations that have stopped because their creator may no longer act, for an owner or admin to take over;
 * nothing for others, or while none has stopped.
 */
export function StoppedDelegations() {
  const { mayAdminister } = useAuthority()
  const stopped = useOperation('organizations.delegations.list', {}, { enabled: mayAdminister })
  // Outside of the row, which is not listed any more once its delegation acts.
  const takeOver = useCommand('organizations.delegations.take_over', ['organizations.delegations.list'])
  if (takeOver.data?.secret) return <NewSecret {...takeOver.data} onClose={takeOver.reset} />
  if (!mayAdminister || stopped.data?.total === 0) return null
  return (
    <section className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`} aria-label={words.heading}>
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
                <StoppedRow key={`${delegation.kind} ${delegation.id}`} delegation={delegation} takeOver={takeOver} />
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

type TakenOver = OutputOf<'organizations.delegations.take_over'>

/** The new secret of what was taken over, shown once. */
function NewSecret({ delegation, secret, onClose }: TakenOver & { readonly onClose: () => void }) {
  return (
    <Section title={words.named(words.kinds[delegation.kind], delegation.name)}>
      <p role="status">{words.secret}</p>
      <Identifier id={secret!} />
      <div className={layout['wrap']}>
        <CopyButton label={words.copySecret} text={secret!} />
        <Button onClick={onClose}>{words.done}</Button>
      </div>
    </Section>
  )
}

interface StoppedRowProps {
  readonly delegation: Delegation
  readonly takeOver: ConfirmButtonProps<'organizations.delegations.take_over'>['command']
}

function StoppedRow({ delegation, takeOver }: StoppedRowProps) {
  const { kind, id, name, user_id, stop_reason, created_at } = delegation
  const nameOf = useMemberNames()
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
        text={kindsWithSecret.has(kind) ? words.textWithSecret : words.text}
        cancel={uiTexts.cancel}
        call={['organizations.delegations.take_over', { kind, delegation_id: id }]}
        command={takeOver}
      />
    </li>
  )
}
