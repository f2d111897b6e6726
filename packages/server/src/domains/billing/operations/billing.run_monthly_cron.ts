import { billingRunMonthlyCronOperation } from '@swath/contract/operations/billing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { runTransactionOrDryRun } from '../../ledger/dry-run.ts'
import { listOrganizations } from '../../organizations/store.ts'
import { forEachOrganization } from '../for-each-organization.ts'
import { closeBillingMonth, toMonthlyRun } from '../../invoicing/billing-cycle/close-billing-month.ts'
import { addMonthlyGrant } from '../free-tier.ts'
import { requireWithinMaxCredits } from '../max-credits.ts'

type MaxCredits = number | null | undefined

/** Each organization has its own transaction, so that a bound on all of them is compared before the first one. */
export const handler = defineHandler(billingRunMonthlyCronOperation, async (call, input) => {
  const { max_credits, dry_run } = input
  const isBounded = typeof max_credits === 'number'
  const preview = dry_run || isBounded ? await closeMonths(call, { max_credits: null, dry_run: true }) : null
  if (preview) requireWithinMaxCredits(preview.charged_cents, max_credits)
  const { runs, failures, entries } =
    preview && dry_run ? preview : await closeMonths(call, { max_credits, dry_run: false })
  return { runs, failures, ...(dry_run ? { dry_run: { entries } } : {}) }
})

/** A month whose shortfall has grown above the bound since it was compared is a failure of its organization. */
async function closeMonths(call: Call, options: { readonly max_credits: MaxCredits; readonly dry_run: boolean }) {
  const organizations = (await listOrganizations(call.unscoped)).filter(({ status }) => status !== 'deleted')
  let charged_cents = 0
  const { results, failures } = await forEachOrganization(
    call,
    organizations.map(({ id }) => id),
    async (actor) => {
      const { organization } = actor
      const { dry_run } = options
      const closed = await runTransactionOrDryRun(call.unscoped, { organization, dry_run }, async (tx) => {
        const outcome = await closeBillingMonth(tx, actor, addMonthlyGrant)
        const cents = outcome.already_done ? 0 : outcome.trued_up_cents
        requireWithinMaxCredits(charged_cents + cents, options.max_credits)
        return { run: toMonthlyRun(organization, outcome), cents }
      })
      charged_cents += closed.cents
      return { run: closed.run, entries: closed.dry_run?.entries ?? [] }
    },
  )
  return {
    runs: results.map(({ run }) => run),
    failures: [...failures],
    entries: results.flatMap(({ entries }) => entries),
    charged_cents,
  }
}
