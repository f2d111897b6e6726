import { Scale } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { isForbidden } from '../../api/problem.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCredits } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { AdminScreen } from './admin-screen.tsx'
import { DecisionButtons, RequestStatus } from './decide-request.tsx'
import { OrganizationField, useOrganizationChoice } from './organization-field.tsx'
import { OrganizationNote } from './organization-note.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

type Adjustment = OutputOf<'admin.credit_adjustments.list'>['adjustments'][number]

const words = adminTexts
const input = { limit: 100 }

/** Adjustments of wallets: one operator requests, another one decides. */
export function Adjustments() {
  const adjustments = useOperation('admin.credit_adjustments.list', input)
  return (
    <AdminScreen actions={<CopyCall operation="admin.credit_adjustments.list" input={input} />}>
      <QueryView query={adjustments} rows={4}>
        {({ adjustments: known }) =>
          known.length === 0 ? (
            <EmptyState icon={Scale} title={words.noAdjustments}>
              <p>{words.noAdjustmentsHelp}</p>
            </EmptyState>
          ) : (
            known.map((adjustment) => <AdjustmentRow key={adjustment.id} adjustment={adjustment} />)
          )
        }
      </QueryView>
      {!isForbidden(adjustments.error) && <RequestForm />}
    </AdminScreen>
  )
}

function AdjustmentRow({ adjustment }: { adjustment: Adjustment }) {
  const { id, organization_id, organization_name, amount_credits, reason, status, decision_reason } = adjustment
  return (
    <article className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
      <header className={layout['spread']}>
        <strong className="figures">{formatCredits(amount_credits)}</strong>
        <RequestStatus status={status} />
      </header>
      <p className={typography['anywhere']}>{reason}</p>
      {decision_reason && <p className={typography['anywhere']}>{decision_reason}</p>}
      <Time at={adjustment.requested_at} />
      <OrganizationNote id={organization_id} name={organization_name} />
      <div className={layout['row']}>
        {status === 'pending' && (
          <DecisionButtons
            subject={formatCredits(amount_credits)}
            input={{ organization_id, adjustment_id: id }}
            affected={['admin.credit_adjustments.list']}
            excluded={[adjustment.requested_by]}
            approve={{
              operation: 'admin.credit_adjustments.approve',
              title: words.approveTitle,
              text: words.approveText,
            }}
            reject={{
              operation: 'admin.credit_adjustments.reject',
              title: words.rejectTitle,
              text: words.rejectText,
            }}
          />
        )}
      </div>
    </article>
  )
}

function RequestForm() {
  const [draft, setDraft] = useState({ credits: '', reason: '' })
  const choice = useOrganizationChoice()
  const command = useCommand('admin.credit_adjustments.request', ['admin.credit_adjustments.list'])
  const amount_credits = Number(draft.credits)
  const isComplete = choice.organization_id !== null && draft.reason.trim() !== '' && amount_credits !== 0
  const request = { organization_id: choice.organization_id ?? '', amount_credits, reason: draft.reason.trim() }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const clear = (): void => {
      setDraft({ credits: '', reason: '' })
      choice.setText('')
    }
    command.mutate(request, { onSuccess: clear })
  }
  return (
    <Section title={words.adjust}>
      <form onSubmit={submit} className={layout['stack8']}>
        <OrganizationField choice={choice} />
        <TextField
          type="number"
          step={1}
          label={words.credits}
          value={draft.credits}
          onChange={(credits) => setDraft({ ...draft, credits })}
        />
        <TextField
          label={words.reason}
          help={words.reasonHelp}
          value={draft.reason}
          onChange={(reason) => setDraft({ ...draft, reason })}
        />
        <div className={layout['row']}>
          <Button type="submit" kind="primary" disabled={!isComplete} isPending={command.isPending}>
            {words.submit}
          </Button>
          <CopyCall operation="admin.credit_adjustments.request" input={request} />
        </div>
        {command.isError && <ProblemNote error={command.error} />}
      </form>
    </Section>
  )
}
