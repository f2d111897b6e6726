import type { FeasibilityOption, FeasibilityStudy, Quotation } from '@swath/contract/schemas/tasking.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { requireOrder } from '../access.ts'
import { closeOrderWithoutDelivery } from '../close-order.ts'
import type { OrderRow } from '../store.ts'
import { acceptTaskingPrice } from './accept-price.ts'
import { toFeasibilityStudy, toQuotation } from './decisions.ts'
import { lockTaskingOrder } from './offer-decisions.ts'
import {
  findQuotation,
  findFeasibilityStudy,
  updateQuotationStatus,
  updateFeasibilityStudyStatus,
  type QuotationRow,
  type FeasibilityStudyRow,
} from './store.decisions.ts'
import type { TaskingOrderAreaRow } from './store.order-areas.ts'
import { transitionSubStatus } from './sub-status.ts'

interface StudyDecision {
  readonly study_id: string
  readonly acceptedOptionId: string
  readonly max_credits?: number | null
}

/** Accepts an option of a study; one with a price is held now. Throws what `acceptTaskingPrice` throws. */
export async function decideFeasibilityStudy(call: Call, request: StudyDecision): Promise<{ study: FeasibilityStudy }> {
  const study = await requireStudy(call, request.study_id)
  const order = await requireOrder(call, study.order_id, 'write')
  if (call.claim?.recoveryData['decision_id'] !== study.id) {
    rejectClosed(call, study)
    const option = study.options.find(({ id }) => id === request.acceptedOptionId)
    if (!option) throw validationProblem([{ path: 'acceptedOptionId', message: 'is not an option of the study' }])
    return { study: await acceptOption(call, { order, study, option, max_credits: request.max_credits }) }
  }
  return { study: toFeasibilityStudy(study) }
}

interface OptionAcceptance {
  readonly order: OrderRow
  readonly study: FeasibilityStudyRow
  readonly option: FeasibilityOption
  readonly max_credits: number | null | undefined
}

async function acceptOption(
  call: Call,
  { order, study, option, max_credits }: OptionAcceptance,
): Promise<FeasibilityStudy> {
  const decided: FeasibilityStudyRow[] = []
  const decide = async (tx: Tx): Promise<void> => {
    const change = { move: 'accept', option_id: option.id, now: call.clock.now(), by: call.principal.id } as const
    const row = await updateFeasibilityStudyStatus(tx, call.organization, study.id, change)
    if (!row) throw alreadyDecided()
    await call.claim?.checkpoint(tx, 'reserved', { decision_id: study.id })
    decided.push(row)
  }
  if (option.creditsPrice === null) {
    await call.transaction(async (tx) => {
      const { status } = await lockTaskingOrder(tx, call.organization, order.id)
      const change = { order_id: order.id, move: 'choose_option' } as const
      const isOpen = status === 'CREATED' && (await transitionSubStatus(tx, call, change))
      await decide(tx)
      if (!isOpen) throw alreadyDecided()
    })
  } else {
    const change = (group: TaskingOrderAreaRow) => planOption(study, option, group)
    const credits = option.creditsPrice
    await acceptTaskingPrice(call, { order, credits, move: 'choose_priced_option', change, max_credits, decide })
  }
  return toFeasibilityStudy(decided[0]!)
}

/**
 * An area as an option plans it. The host knows its own options by their ids and applies their windows; the window of an
 * option of an operator replaces that of the request.
 */
function planOption(
  { type }: FeasibilityStudyRow,
  { id, acquisitionStart, acquisitionEnd }: FeasibilityOption,
  { constraints, planned_at }: TaskingOrderAreaRow,
): Pick<TaskingOrderAreaRow, 'constraints' | 'planned_at'> {
  const planned = acquisitionStart === null ? planned_at : new Date(acquisitionStart)
  if (type === 'AUTO') return { constraints: { ...constraints, opportunity: id }, planned_at: planned }
  const window = { from: acquisitionStart ?? constraints.from, to: acquisitionEnd ?? constraints.to }
  return { constraints: { ...constraints, ...window }, planned_at: planned }
}

interface QuotationDecisionRequest {
  readonly quotation_id: string
  readonly decision: 'ACCEPTED' | 'REJECTED'
  readonly max_credits?: number | null
}

/** Accepts a quotation, which holds its price, or rejects it, which cancels the order. */
export async function decideQuotation(
  call: Call,
  request: QuotationDecisionRequest,
): Promise<{ quotation: Quotation }> {
  const quotation = await requireQuotation(call, request.quotation_id)
  const order = await requireOrder(call, quotation.order_id, 'write')
  if (call.claim?.recoveryData['decision_id'] === quotation.id) return { quotation: toQuotation(quotation) }
  rejectClosed(call, quotation)
  const decided: QuotationRow[] = []
  const decide = async (tx: Tx): Promise<void> => {
    const move = request.decision === 'ACCEPTED' ? 'accept' : 'reject'
    const change = { move, now: call.clock.now(), by: call.principal.id } as const
    const row = await updateQuotationStatus(tx, call.organization, quotation.id, change)
    if (!row) throw alreadyDecided()
    await call.claim?.checkpoint(tx, 'reserved', { decision_id: quotation.id })
    decided.push(row)
  }
  if (request.decision === 'ACCEPTED') {
    const { credits_price: credits } = quotation
    await acceptTaskingPrice(call, {
      order,
      credits,
      move: 'accept_quotation',
      max_credits: request.max_credits,
      decide,
    })
  } else {
    await call.transaction((tx) => rejectQuotation(tx, call, quotation, decide))
  }
  return { quotation: toQuotation(decided[0]!) }
}

async function rejectQuotation(
  tx: Tx,
  call: Call,
  { order_id }: QuotationRow,
  decide: (tx: Tx) => Promise<void>,
): Promise<void> {
  const order = await lockTaskingOrder(tx, call.organization, order_id)
  await decide(tx)
  await transitionSubStatus(tx, call, { order_id, move: 'reject_quotation' })
  await closeOrderWithoutDelivery(tx, call, { order, move: 'cancel', reason: null })
}

const alreadyDecided = (): Problem => new Problem('already-decided', 'The decision has already been made.')

/** Throws `already-decided`, or `quote-expired` after the deadline of the decision. */
function rejectClosed(call: Call, { decision, decide_by }: FeasibilityStudyRow | QuotationRow): void {
  if (decision === 'EXPIRED' || (decision === 'NOT_DECIDED' && decide_by <= call.clock.now()))
    throw new Problem('quote-expired', `The time for the decision ended at ${decide_by.toISOString()}.`)
  if (decision !== 'NOT_DECIDED') throw alreadyDecided()
}

async function requireStudy(call: Call, id: string): Promise<FeasibilityStudyRow> {
  const row = await findFeasibilityStudy(call.db, call.organization, id)
  if (!row) throw new Problem('not-found', `No feasibility study has the id "${id}".`)
  return row
}

async function requireQuotation(call: Call, id: string): Promise<QuotationRow> {
  const row = await findQuotation(call.db, call.organization, id)
  if (!row) throw new Problem('not-found', `No quotation has the id "${id}".`)
  return row
}
