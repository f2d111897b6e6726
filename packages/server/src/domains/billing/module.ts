import type { Module } from '../../engine/task.ts'
import { explainBillingCharge } from './operations/billing.charge.explain.ts'
import { applyPaymentEvents } from './apply-payment-event.task.ts'
import { autoTopup } from './topups/auto-topup.task.ts'
import { approveTopup } from './operations/billing.approvals.approve.ts'
import { getApproval } from './operations/billing.approvals.get.ts'
import { listTopupApprovals } from './operations/billing.approvals.list.ts'
import { rejectApproval } from './operations/billing.approvals.reject.ts'
import { requestApproval } from './operations/billing.approvals.request.ts'
import { listDeadLetters } from './operations/billing.dlq.list_pending.ts'
import { replayDeadLetters } from './operations/billing.dlq.replay.ts'
import { getAutoTopup } from './operations/billing.auto_topup.get.ts'
import { getCreditBalance } from './operations/billing.credits.balance.ts'
import { listTransactions } from './operations/billing.credits.transactions.ts'
import { exportLedger } from './operations/billing.ledger.export.ts'
import { verifyOrganizationLedger } from './operations/billing.ledger.verify.ts'
import { listCreditLots } from './operations/billing.lots.list.ts'
import { cleanUpDeletedOrganizations } from './operations/billing.cleanup_deleted_orgs.ts'
import { listPendingDeletions } from './operations/billing.deletions.pending.ts'
import { getEnterpriseAccrual } from './operations/billing.enterprise.accrual.ts'
import { markEnterpriseInvoiced } from './operations/billing.enterprise.mark_invoiced.ts'
import { approveFreeTierAccess } from './operations/billing.free_tier.approve.ts'
import { grantFreeTierToAll } from './operations/billing.free_tier.grant_all.ts'
import { listPendingFreeTier } from './operations/billing.free_tier.list_pending.ts'
import { revokeFreeTierAccess } from './operations/billing.free_tier.revoke.ts'
import { downloadInvoice } from './operations/billing.invoices.download.ts'
import { settleUnsettledJobs } from './operations/billing.jobs.settle_unsettled.ts'
import { getInvoice } from './operations/billing.invoices.get.ts'
import { listInvoices } from './operations/billing.invoices.list.ts'
import { runMonthlyBillingForAll } from './operations/billing.run_monthly_cron.ts'
import { runMonthlyBillingForOrganization } from './operations/billing.run_monthly_for_org.ts'
import { listPlans } from './operations/billing.plans.list.ts'
import { backfillMissingBytes } from './operations/billing.reconciliation.backfill_missing.ts'
import { correctStorageDrift } from './operations/billing.reconciliation.correct_drift.ts'
import { detectStorageDrift } from './operations/billing.reconciliation.detect_drift.ts'
import { listStorageCorrections } from './operations/billing.reconciliation.list_corrections.ts'
import { listReconciliationRuns } from './operations/billing.reconciliation.list_runs.ts'
import { removeStaleBytes } from './operations/billing.reconciliation.remove_stale.ts'
import { reconcileOrganization } from './operations/billing.reconciliation.run.ts'
import { reconcileAllOrganizations } from './operations/billing.reconciliation.run_all.ts'
import { zeroNegativeNets } from './operations/billing.reconciliation.zero_negative_nets.ts'
import { requestRefund } from './operations/billing.refunds.request.ts'
import { setAutoTopup } from './operations/billing.set_auto_topup.ts'
import { setDailyTopupLimit } from './operations/billing.set_daily_topup_limit.ts'
import { forecastMonth } from './operations/billing.forecast.ts'
import { getBillingStatus } from './operations/billing.status.get.ts'
import { listProcessorInvoices } from './operations/billing.stripe_invoices.list.ts'
import { topUpCredits } from './operations/billing.topup.ts'
import { closeTopups } from './topups/close-topup.task.ts'
import { sendRefunds } from './topups/send-refund.task.ts'
import { dueBillingDeadlines, sweepBillingDeadlines } from './sweep-deadlines.task.ts'

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
    forecastMonth,
    topUpCredits,
    getAutoTopup,
    setAutoTopup,
    setDailyTopupLimit,
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
  tasks: [closeTopups, autoTopup, applyPaymentEvents, sendRefunds, sweepBillingDeadlines],
  dueWork: [dueBillingDeadlines],
}
