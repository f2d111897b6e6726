import type { ReactNode } from 'react'
import type { InputOf, OperationId } from '@swath/client/operations.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { DecisionButtons, RequestStatus, type DecisionTexts } from './decide-request.tsx'
import layout from '../../ui/layout.module.css'

/** A version of a product or a price, as the operator's operations return it. */
interface OperatedVersion {
  readonly status: 'pending' | 'approved' | 'rejected'
  readonly in_force: boolean
  readonly effective_from: string
  readonly reason: string
  readonly requested_by: string
}

interface VersionRowProps<Approve extends OperationId, Reject extends OperationId> {
  readonly subject: string
  readonly version: OperatedVersion
  readonly facts: readonly (readonly [label: string, value: ReactNode])[]
  readonly input: Omit<InputOf<Approve>, 'reason'> & Omit<InputOf<Reject>, 'reason'>
  readonly affected: readonly OperationId[]
  readonly approve: Approve
  readonly reject: Reject
  readonly decisionTexts: DecisionTexts
}

/** One version with its dates, and the decisions on it while it waits for another operator. */
export function VersionRow<Approve extends OperationId, Reject extends OperationId>({
  subject,
  version,
  facts,
  input,
  affected,
  approve,
  reject,
  decisionTexts: { approveTitle, approveText, rejectTitle, rejectText },
}: VersionRowProps<Approve, Reject>) {
  const { status, in_force, effective_from, reason, requested_by } = version
  const { versions, reason: reasonLabel } = adminTexts
  return (
    <article className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
      <header className={layout['spread']}>
        <strong>{subject}</strong>
        <RequestStatus status={status} text={in_force ? versions.inForce : undefined} />
      </header>
      <Facts
        facts={[...facts, [versions.effective, <Time key="effective" at={effective_from} />], [reasonLabel, reason]]}
      />
      {status === 'pending' && (
        <div className={layout['row']}>
          <DecisionButtons
            subject={subject}
            input={input}
            affected={affected}
            excluded={[requested_by]}
            approve={{ operation: approve, title: approveTitle, text: approveText }}
            reject={{ operation: reject, title: rejectTitle, text: rejectText }}
          />
        </div>
      )}
    </article>
  )
}
