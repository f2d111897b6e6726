import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { moneyTexts } from '../../texts/money.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCount, formatCredits } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { MoneyScreen } from './money-screen.tsx'
import { StoppedDelegations } from './stopped-delegations.tsx'
import styles from './money.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'
import { usePrincipal } from '../../api/use-principal.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'

const closing = moneyTexts.closing

/** Lets an owner close the organization, or keep it until the date of deletion; other members see the date only. */
function CloseOrganization() {
  const organization = usePrincipal().data?.organization
  const close = useCommand('organizations.delete', ['users.me'])
  const keep = useCommand('organizations.restore', ['users.me'])
  if (!organization || organization.sandbox) return null
  const isOwner = organization.role === 'owner'
  if (!isOwner && organization.delete_at === null) return null
  return (
    <section
      className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']} ${styles['member']}`}
      aria-label={closing.heading}
    >
      <header className={layout['split']}>
        <strong>{closing.heading}</strong>
      </header>
      {organization.delete_at === null ? (
        <>
          <p className={typography['muted']}>{closing.text}</p>
          <ConfirmButton
            label={closing.closeLabel(organization.name)}
            verb={closing.close}
            kind="danger"
            title={closing.title(organization.name)}
            subject={organization.name}
            text={closing.text}
            cancel={closing.cancel}
            call={['organizations.delete', {}]}
            command={close}
          />
        </>
      ) : (
        <>
          <p role="status">
            {closing.until} <Time at={organization.delete_at} />
          </p>
          {isOwner && (
            <Button isPending={keep.isPending} onClick={() => keep.mutate({})}>
              {closing.keep}
            </Button>
          )}
          {keep.isError && <ProblemNote error={keep.error} />}
        </>
      )}
    </section>
  )
}

type Member = OutputOf<'organizations.members.list'>['members'][number]

/** Members with their spend limits and the use of the last 30 days, and the form that closes the organization. */
export function Members() {
  const members = useOperation('organizations.members.list', {})
  return (
    <MoneyScreen actions={<CopyCall operation="organizations.members.list" input={{}} />}>
      <QueryView query={members} rows={3}>
        {({ members: known }) => known.map((member) => <MemberRow key={member.user_id} member={member} />)}
      </QueryView>
      <StoppedDelegations />
      <CloseOrganization />
    </MoneyScreen>
  )
}

const toLimit = (text: string): number | null => (text.trim() === '' ? null : Number(text))
const toText = (limit: number | null): string => (limit === null ? '' : String(limit))

function MemberRow({ member }: { member: Member }) {
  const spend = useOperation('organizations.members.spend.get', { userId: member.user_id })
  const save = useCommand('organizations.members.set_spend_limit', [
    'organizations.members.list',
    'organizations.members.spend.get',
  ])
  const [perOrder, setPerOrder] = useState(toText(member.per_order_limit_credits))
  const [window, setWindow] = useState(toText(member.spend_limit_credits))
  const name = member.name ?? member.email
  const used = spend.data?.window_used_credits ?? 0
  const limit = spend.data?.spend_limit_credits ?? null
  const next = limit === null ? undefined : spend.data?.frees[0]
  return (
    <section
      className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']} ${styles['member']}`}
      aria-label={name}
    >
      <header className={layout['split']}>
        <strong>{name}</strong>
        <span className={typography['muted']}>{moneyTexts.roles[member.role]}</span>
      </header>
      {spend.data && (
        <p className="figures">
          {limit === null
            ? moneyTexts.usedWithoutLimit(formatCredits(used))
            : moneyTexts.usedOf(formatCount(used), formatCredits(limit))}
        </p>
      )}
      {spend.isError && <ProblemNote error={spend.error} isRead />}
      {limit !== null && (
        <meter
          value={used}
          min={0}
          max={limit}
          aria-label={moneyTexts.usedOf(formatCount(used), formatCredits(limit))}
        />
      )}
      {next && (
        <p className={typography['muted']}>
          {moneyTexts.frees(formatCredits(next.credits))} <Time at={next.at} />
        </p>
      )}
      <details>
        <summary>{moneyTexts.setLimits(name)}</summary>
        <form
          className={`${layout['stack8']} ${styles['form']}`}
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate({
              userId: member.user_id,
              perOrderLimitCredits: toLimit(perOrder),
              spendLimitCredits: toLimit(window),
            })
          }}
        >
          <div className={layout['pair']}>
            <TextField
              label={moneyTexts.perOrder}
              placeholder={moneyTexts.noLimit}
              inputMode="numeric"
              value={perOrder}
              onChange={(text) => setPerOrder(text.replaceAll(/\D/g, ''))}
            />
            <TextField
              label={moneyTexts.limit}
              placeholder={moneyTexts.noLimit}
              inputMode="numeric"
              value={window}
              onChange={(text) => setWindow(text.replaceAll(/\D/g, ''))}
            />
          </div>
          <Button type="submit" isPending={save.isPending}>
            {moneyTexts.save}
          </Button>
          {save.isSuccess && <p role="status">{moneyTexts.saved}</p>}
          {save.isError && <ProblemNote error={save.error} />}
        </form>
      </details>
    </section>
  )
}
