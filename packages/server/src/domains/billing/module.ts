import type { Module } from '../../engine/task.ts'
import { explainBillingCharge } from './billing.charge.explain.ts'
import { applyPaymentEvents } from './processor/apply-payment-event.task.ts'
import { autoTopup } from './topups/auto-topup.task.ts'
import { approveTopup } from './billing.approvals.approve.ts'
import { getApproval } from './billing.approvals.get.ts'
import { listTopupApprovals } from './billing.approvals.list.ts'
import { rejectApproval } from './billing.approvals.reject.ts'
import { requestApproval } from './billing.approvals.request.ts'
import { listDeadLetters } from './billing.dlq.list_pending.ts'
import { replayDeadLetters } from './billing.dlq.replay.ts'
import { getAutoTopup } from './billing.auto_topup.get.ts'
import { getCreditBalance } from './billing.credits.balance.ts'
import { listTransactions } from './billing.credits.transactions.ts'
import { exportLedger } from './billing.ledger.export.ts'
import { verifyOrganizationLedger } from './billing.ledger.verify.ts'
import { listCreditLots } from './billing.lots.list.ts'
import { cleanUpDeletedOrganizations } from './billing.cleanup_deleted_orgs.ts'
import { listPendingDeletions } from './billing.deletions.pending.ts'
import { getEnterpriseAccrual } from './billing.enterprise.accrual.ts'
import { markEnterpriseInvoiced } from './billing.enterprise.mark_invoiced.ts'
import { approveFreeTierAccess } from './billing.free_tier.approve.ts'
import { grantFreeTierToAll } from './billing.free_tier.grant_all.ts'
import { listPendingFreeTier } from './billing.free_tier.list_pending.ts'
import { revokeFreeTierAccess } from './billing.free_tier.revoke.ts'
import { downloadInvoice } from './billing.invoices.download.ts'
import { settleUnsettledJobs } from './billing.jobs.settle_unsettled.ts'
import { getInvoice } from './billing.invoices.get.ts'
import { listInvoices } from './billing.invoices.list.ts'
import { runMonthlyBillingForAll } from './billing.run_monthly_cron.ts'
import { runMonthlyBillingForOrganization } from './billing.run_monthly_for_org.ts'
import { listPlans } from './billing.plans.list.ts'
import { backfillMissingBytes } from './billing.reconciliation.backfill_missing.ts'
import { correctStorageDrift } from './billing.reconciliation.correct_drift.ts'
import { detectStorageDrift } from './billing.reconciliation.detect_drift.ts'
import { listStorageCorrections } from './billing.reconciliation.list_corrections.ts'
import { listReconciliationRuns } from './billing.reconciliation.list_runs.ts'
import { removeStaleBytes } from './billing.reconciliation.remove_stale.ts'
import { reconcileOrganization } from './billing.reconciliation.run.ts'
import { reconcileAllOrganizations } from './billing.reconciliation.run_all.ts'
import { zeroNegativeNets } from './billing.reconciliation.zero_negative_nets.ts'
import { requestRefund } from './billing.refunds.request.ts'
import { setAutoTopup } from './billing.set_auto_topup.ts'
import { getBillingStatus } from './billing.status.get.ts'
import { listProcessorInvoices } from './billing.stripe_invoices.list.ts'
import { topUpCredits } from './billing.topup.ts'
import { closeTopups } from './topups/close-topup.task.ts'
import { captureOrVoid } from './cards/capture-or-void.task.ts'
import { redeliverWebhooks } from './processor/redeliver-webhooks.task.ts'
import { scheduleMonthEnds } from './billing-cycle/schedule-month-ends.task.ts'
import { reauthoriseCard } from './cards/reauthorise-card.task.ts'
import { sendRefunds } from './topups/send-refund.task.ts'
import { sweepBillingDeadlines } from './sweep-deadlines.task.ts'
import { voidIntent } from './cards/void-intent.task.ts'

export const billing: Module = {
  name: 'billing',
  handlers: [
    settleUnsettledJobs,
    getCreditBalance,
    listTransactions,
    listCreditLots,
    exportLedger,
    verifyOrganizationLedger,
    explainBillingCharge,
    listPlans,
    getBillingStatus,
    topUpCredits,
    getAutoTopup,
    setAutoTopup,
    requestApproval,
    approveTopup,
    rejectApproval,
    getApproval,
    listTopupApprovals,
    listDeadLetters,
    replayDeadLetters,
    requestRefund,
    listProcessorInvoices,
    backfillMissingBytes,
    correctStorageDrift,
    detectStorageDrift,
    listStorageCorrections,
    listReconciliationRuns,
    removeStaleBytes,
    reconcileOrganization,
    reconcileAllOrganizations,
    zeroNegativeNets,
    listInvoices,
    getInvoice,
    downloadInvoice,
    runMonthlyBillingForOrganization,
    runMonthlyBillingForAll,
    getEnterpriseAccrual,
    markEnterpriseInvoiced,
    approveFreeTierAccess,
    revokeFreeTierAccess,
    grantFreeTierToAll,
    listPendingFreeTier,
    listPendingDeletions,
    cleanUpDeletedOrganizations,
  ],
  tasks: [
    closeTopups,
    autoTopup,
    applyPaymentEvents,
    sendRefunds,
    sweepBillingDeadlines,
    scheduleMonthEnds,
    redeliverWebhooks,
    captureOrVoid,
    reauthoriseCard,
    voidIntent,
  ],
}
