import { CircleCheck, CircleX, Hourglass } from 'lucide-react'
import type { InputOf, OperationId } from '@swath/client/operations.ts'
import { usePrincipal } from '../../api/use-principal.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActButton } from './act-button.tsx'

const words = adminTexts

const statusMarks = {
  pending: { icon: Hourglass, tone: 'active' },
  approved: { icon: CircleCheck, tone: 'good' },
  rejected: { icon: CircleX, tone: 'neutral' },
} as const

/** The status of a request of one operator that another one decides; `text` replaces its name. */
export const RequestStatus = ({ status, text }: { status: keyof typeof statusMarks; text?: string | undefined }) => (
  <Badge {...statusMarks[status]}>{text ?? words.requestStatuses[status]}</Badge>
)

interface Decision<Id extends OperationId> {
  readonly operation: Id
  readonly title: string
  readonly text: string
}

/** The texts of the dialogs before a decision. */
export interface DecisionTexts {
  readonly approveTitle: string
  readonly approveText: string
  readonly rejectTitle: string
  readonly rejectText: string
}

interface DecisionButtonsProps<Approve extends OperationId, Reject extends OperationId> {
  /** The name of the request that is decided, for people. */
  readonly subject: string
  readonly input: Omit<InputOf<Approve>, 'reason'> & Omit<InputOf<Reject>, 'reason'>
  /** Read again afterwards. */
  readonly affected: readonly OperationId[]
  /** The ids of those who may not approve it: the operator who requested it, and whom it is about. */
  readonly excluded: readonly string[]
  readonly approve: Decision<Approve>
  readonly reject: Decision<Reject>
}

/** Approves or rejects the request of another operator, for a reason; a request of one's own can only be rejected. */
export function DecisionButtons<Approve extends OperationId, Reject extends OperationId>({
  excluded,
  approve,
  reject,
  ...act
}: DecisionButtonsProps<Approve, Reject>) {
  const userId = usePrincipal().data?.user?.id
  const mayApprove = userId !== undefined && !excluded.includes(userId)
  return (
    <>
      {mayApprove && <ActButton {...act} {...approve} kind="primary" verb={words.approve} />}
      <ActButton {...act} {...reject} kind="danger" verb={words.reject} />
    </>
  )
}
