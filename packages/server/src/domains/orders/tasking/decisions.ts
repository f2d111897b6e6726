import type { FeasibilityStudy, PendingDecision, Quotation } from '@swath/contract/schemas/tasking.ts'
import type { Call } from '../../../engine/call.ts'
import { buildReadableOrderFilter } from '../access.ts'
import type { TaskingDecisionRow, QuotationRow, FeasibilityStudyRow } from './store.decisions.ts'

const toDecision = (row: TaskingDecisionRow) => ({
  id: row.id,
  orderId: row.order_id,
  workspaceId: row.project_id,
  accountId: row.organization_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  decisionAt: row.decided_at?.toISOString() ?? null,
  decideBy: row.decide_by.toISOString(),
})

export function toFeasibilityStudy(row: FeasibilityStudyRow): FeasibilityStudy {
  const chosen = row.options.find(({ id }) => id === row.option_id)
  return {
    ...toDecision(row),
    type: row.type,
    decision: row.decision,
    options: row.options.map((option) => ({ ...option })),
    decisionOption: chosen ? { id: chosen.id, description: chosen.description } : null,
  }
}

export const toQuotation = (row: QuotationRow): Quotation => ({
  ...toDecision(row),
  decision: row.decision,
  creditsPrice: row.credits_price,
})

export const toPendingTaskingDecision = (row: TaskingDecisionRow, displayName: string): PendingDecision => ({
  kind: row.kind,
  id: row.id,
  orderId: row.order_id,
  workspaceId: row.project_id,
  displayName,
  creditsPrice: row.kind === 'quotation' ? row.credits_price : null,
  decideBy: row.decide_by.toISOString(),
  createdAt: row.created_at.toISOString(),
})

/** The projects whose decisions the caller may see: one, or all. */
export async function listDecisionProjects(call: Call, workspace: string | null): Promise<readonly string[]> {
  const { projects, deleted } = await buildReadableOrderFilter(call, workspace)
  return deleted.placed_by === null ? [...projects, ...deleted.projects] : projects
}

/** The texts of a comma-separated list; null for none. */
export function splitCommaSeparatedList(text: string | null | undefined): string[] | null {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  const named = parts.filter((part) => part !== '')
  return named.length === 0 ? null : named
}
