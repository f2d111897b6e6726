import { CircleCheck, CircleX, Hourglass, Stamp, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { TopupApproval } from '@swath/client/operations.ts'
import { useMemberNames } from '../../api/use-member-names.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { usePayment } from '../../api/use-payment.ts'
import { usePrincipal } from '../../api/use-principal.ts'
import { moneyTexts } from '../../texts/money.ts'
import { paymentsTexts } from '../../texts/payments.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Credits, Time } from '../../ui/figures.tsx'
import { formatAud, formatCredits } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { OverlayBoundary } from '../../ui/boundaries/overlay-boundary.tsx'
import { MoneyScreen } from './money-screen.tsx'
import styles from './money.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = moneyTexts.approval

const looks: Readonly<Record<TopupApproval['status'], readonly [LucideIcon, Tone]>> = {
  pending: [Hourglass, 'active'],
  approved: [Hourglass, 'active'],
  completed: [CircleCheck, 'good'],
  rejected: [CircleX, 'neutral'],
  expired: [CircleX, 'neutral'],
  charge_failed: [CircleX, 'bad'],
}

const isPending = ({ status }: TopupApproval): boolean => status === 'pending'

/** Top-ups that people without a billing role have requested, pending ones first. */
export function Approvals() {
  const approvals = useOperation('billing.approvals.list', {})
  return (
    <MoneyScreen actions={<CopyCall operation="billing.approvals.list" input={{}} />}>
      <QueryView query={approvals} rows={3}>
        {({ approvals: known }) =>
          known.length === 0 ? (
            <EmptyState icon={Stamp} title={words.none}>
              <p>{words.noneHelp}</p>
            </EmptyState>
          ) : (
            known
              .toSorted((a, b) => Number(isPending(b)) - Number(isPending(a)))
              .map((approval) => <ApprovalRow key={approval.id} approval={approval} />)
          )
        }
      </QueryView>
    </MoneyScreen>
  )
}

function ApprovalRow({ approval }: { approval: TopupApproval }) {
  const { credits, aud, status, requested_by, decided_by, decided_at, created_at, expires_at, reason } = approval
  const nameOf = useMemberNames()
  const [icon, tone] = looks[status]
  return (
    <section
      className={`${layout['stack4']} ${layout['inset']} ${layout['lineBelow']} ${styles['row']}`}
      aria-label={words.title(nameOf(requested_by), formatCredits(credits))}
    >
      <header className={layout['split']}>
        <strong>
          <Credits credits={credits} aud={aud} />
        </strong>
        <Badge icon={icon} tone={tone}>
          {words.states[status]}
        </Badge>
      </header>
      <p className={typography['muted']}>
        {words.askedBy(nameOf(requested_by))} · <Time at={created_at} />
      </p>
      {isPending(approval) && (
        <p className={typography['muted']}>
          {words.until} <Time at={expires_at} />
        </p>
      )}
      {decided_by && decided_at && (
        <p className={typography['muted']}>
          {words.decidedBy(nameOf(decided_by))} · <Time at={decided_at} />
        </p>
      )}
      {reason && <p>{reason}</p>}
      {isPending(approval) && <Decision approval={approval} />}
    </section>
  )
}

/** Nobody decides a request of their own, and members decide none. */
function Decision({ approval }: { approval: TopupApproval }) {
  const principal = usePrincipal().data
  const [choice, setChoice] = useState<'approve' | 'reject' | null>(null)
  if (principal?.user?.id === approval.requested_by) return <p className={typography['muted']}>{words.ownRequest}</p>
  if (principal?.organization?.role === 'member') return <p className={typography['muted']}>{words.notYours}</p>
  return (
    <div className={layout['row']}>
      <Button kind="primary" aria-haspopup="dialog" onClick={() => setChoice('approve')}>
        {words.approve}
      </Button>
      <Button aria-haspopup="dialog" onClick={() => setChoice('reject')}>
        {words.reject}
      </Button>
      {choice === 'approve' && (
        <OverlayBoundary onClose={() => setChoice(null)}>
          <ApproveDialog approval={approval} onClose={() => setChoice(null)} />
        </OverlayBoundary>
      )}
      {choice === 'reject' && (
        <OverlayBoundary onClose={() => setChoice(null)}>
          <RejectDialog approval={approval} onClose={() => setChoice(null)} />
        </OverlayBoundary>
      )}
    </div>
  )
}

interface DecisionProps {
  readonly approval: TopupApproval
  readonly onClose: () => void
}

function ApproveDialog({ approval: { id, credits, aud }, onClose }: DecisionProps) {
  const approve = usePayment('billing.approvals.approve', [
    'billing.approvals.list',
    'billing.credits.balance',
    'billing.credits.transactions',
    'users.me',
  ])
  return (
    <Dialog
      title={words.approveTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button
            kind="primary"
            isPending={approve.isPending}
            onClick={() => approve.mutate({ approval_id: id }, { onSuccess: onClose })}
          >
            {paymentsTexts.charge(formatCredits(credits), formatAud(aud))}
          </Button>
        </>
      }
    >
      <p>{words.approveText}</p>
      {approve.error && <ProblemNote error={approve.error} />}
    </Dialog>
  )
}

function RejectDialog({ approval: { id }, onClose }: DecisionProps) {
  const reject = useCommand('billing.approvals.reject', ['billing.approvals.list'])
  const [reason, setReason] = useState('')
  return (
    <Dialog
      title={words.rejectTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button
            kind="danger"
            isPending={reject.isPending}
            onClick={() => reject.mutate({ approval_id: id, reason: reason.trim() || null }, { onSuccess: onClose })}
          >
            {words.reject}
          </Button>
        </>
      }
    >
      <TextField label={words.reason} value={reason} onChange={setReason} />
      {reject.error && <ProblemNote error={reject.error} />}
    </Dialog>
  )
}
