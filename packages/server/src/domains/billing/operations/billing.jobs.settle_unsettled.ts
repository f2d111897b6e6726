import { billingJobsSettleUnsettledOperation } from '@swath/contract/operations/billing.ts'
import type { DryRun } from '@swath/contract/schemas/spend.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { runTransactionOrDryRun } from '../../ledger/dry-run.ts'
import { toActorInOrganization, listEveryOrganizationId } from '../../organizations/all-organizations.ts'
import { releaseOrphanHolds } from '../charges/orphan-holds.ts'
import { requireWithinMaxCredits } from '../max-credits.ts'

interface SettleRequest {
  readonly limit: number
  readonly organization_id?: string | null
  readonly max_credits?: number | null
}

/** Each organization has its own transaction, so that a bound on all of them is compared before the first one. */
export const handler = defineHandler(billingJobsSettleUnsettledOperation, async (call, input) => {
  const isBounded = typeof input.max_credits === 'number'
  const preview = input.dry_run || isBounded ? await settleAll(call, input, true) : null
  const { job_ids, entries } = preview && input.dry_run ? preview : await settleAll(call, input, false)
  const settled = { captured_count: 0, released_count: job_ids.length, job_ids }
  return input.dry_run ? { ...settled, dry_run: { entries } } : settled
})

async function settleAll(call: Call, { limit, organization_id, max_credits }: SettleRequest, dry_run: boolean) {
  const organizations = organization_id ? [organization_id] : await listEveryOrganizationId(call.unscoped)
  const job_ids: string[] = []
  const entries: DryRun['entries'] = []
  let credits = 0
  for (const organization of organizations) {
    const remaining = limit - job_ids.length
    if (remaining === 0) break
    const actor = await toActorInOrganization(call, organization)
    const released = await runTransactionOrDryRun(call.unscoped, { organization, dry_run }, async (tx) => {
      const holds = await releaseOrphanHolds(tx, actor, remaining)
      requireWithinMaxCredits(credits + holds.credits, max_credits)
      return holds
    })
    job_ids.push(...released.job_ids)
    entries.push(...(released.dry_run?.entries ?? []))
    credits += released.credits
  }
  return { job_ids, entries }
}
