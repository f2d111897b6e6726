import { useState } from 'react'
import type { Member } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { teamTexts } from '../../texts/team.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../../ui/button.tsx'
import { DigitsField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCount, formatCredits } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const toLimit = (text: string): number | null => (text.trim() === '' ? null : Number(text))
const toText = (limit: number | null): string => (limit === null ? '' : String(limit))

export interface SpendLimitsProps {
  readonly member: Member
  readonly name: string
}

/** What a member has spent in the last 30 days, and the form that limits it. */
export function SpendLimits({ member, name }: SpendLimitsProps) {
  const spend = useOperation('organizations.members.spend.get', { userId: member.user_id })
  const used = spend.data?.window_used_credits ?? 0
  const limit = spend.data?.spend_limit_credits ?? null
  const next = limit === null ? undefined : spend.data?.frees[0]
  return (
    <>
      {spend.data && (
        <p className="figures">
          {limit === null
            ? teamTexts.usedWithoutLimit(formatCredits(used))
            : teamTexts.usedOf(formatCount(used), formatCredits(limit))}
        </p>
      )}
      {spend.isError && <ProblemNote error={spend.error} isRead />}
      {limit !== null && (
        <meter
          value={used}
          min={0}
          max={limit}
          aria-label={teamTexts.usedOf(formatCount(used), formatCredits(limit))}
        />
      )}
      {next && (
        <p className={typography['muted']}>
          {teamTexts.frees(formatCredits(next.credits))} <Time at={next.at} />
        </p>
      )}
      <LimitForm member={member} name={name} />
    </>
  )
}

function LimitForm({ member, name }: SpendLimitsProps) {
  const save = useCommand('organizations.members.set_spend_limit', [
    'organizations.members.list',
    'organizations.members.spend.get',
  ])
  const [perOrder, setPerOrder] = useState(toText(member.per_order_limit_credits))
  const [window, setWindow] = useState(toText(member.spend_limit_credits))
  return (
    <details>
      <summary>{teamTexts.setLimits(name)}</summary>
      <form
        className={layout['stack8']}
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
          <DigitsField
            label={teamTexts.perOrder}
            placeholder={uiTexts.noLimit}
            value={perOrder}
            onChange={setPerOrder}
          />
          <DigitsField label={teamTexts.limit} placeholder={uiTexts.noLimit} value={window} onChange={setWindow} />
        </div>
        <div>
          <Button type="submit" isPending={save.isPending}>
            {teamTexts.save}
          </Button>
        </div>
        {save.isSuccess && <p role="status">{teamTexts.saved}</p>}
        {save.isError && <ProblemNote error={save.error} />}
      </form>
    </details>
  )
}
