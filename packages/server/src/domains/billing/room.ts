import type { Room } from '../../engine/task.ts'
import { explain } from './billing.charge.explain.ts'
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
import { readBalance } from './billing.credits.balance.ts'
import { listTransactions } from './billing.credits.transactions.ts'
import { exportLedger } from './billing.ledger.export.ts'
import { verifyJournal } from './billing.ledger.verify.ts'
import { listCreditLots } from './billing.lots.list.ts'
import { cleanUpDeleted } from './billing.cleanup_deleted_orgs.ts'
import { listPendingDeletions } from './billing.deletions.pending.ts'
import { readAccrual } from './billing.enterprise.accrual.ts'
import { markOutsideInvoice } from './billing.enterprise.mark_invoiced.ts'
import { admitToFreeTier } from './billing.free_tier.approve.ts'
import { grantFreeMonth } from './billing.free_tier.grant_all.ts'
import { listWaitingForFreeTier } from './billing.free_tier.list_pending.ts'
import { takeOutOfFreeTier } from './billing.free_tier.revoke.ts'
import { downloadInvoice } from './billing.invoices.download.ts'
import { settleUnsettled } from './billing.jobs.settle_unsettled.ts'
import { getInvoice } from './billing.invoices.get.ts'
import { listInvoices } from './billing.invoices.list.ts'
import { runMonthlyForAll } from './billing.run_monthly_cron.ts'
import { runMonthlyForOrganization } from './billing.run_monthly_for_org.ts'
import { listPlans } from './billing.plans.list.ts'
import { backfillMissing } from './billing.reconciliation.backfill_missing.ts'
import { correctDrift } from './billing.reconciliation.correct_drift.ts'
import { detectDrift } from './billing.reconciliation.detect_drift.ts'
import { listStorageCorrections } from './billing.reconciliation.list_corrections.ts'
import { listReconciliationRuns } from './billing.reconciliation.list_runs.ts'
import { removeStale } from './billing.reconciliation.remove_stale.ts'
import { reconcileOrganization } from './billing.reconciliation.run.ts'
import { reconcileEverybody } from './billing.reconciliation.run_all.ts'
import { zeroNegativeNets } from './billing.reconciliation.zero_negative_nets.ts'
import { requestRefund } from './billing.refunds.request.ts'
import { setAutoTopup } from './billing.set_auto_topup.ts'
import { getBillingStatus } from './billing.status.get.ts'
import { listProcessorInvoices } from './billing.stripe_invoices.list.ts'
import { topUp } from './billing.topup.ts'
import { closeTopups } from './topups/close-topup.task.ts'
import { finishCard } from './cards/finish-card.task.ts'
import { hearProcessor } from './processor/hear-processor.task.ts'
import { planMonthEnds } from './months/plan-month-ends.task.ts'
import { renewCard } from './cards/renew-card.task.ts'
import { sendRefunds } from './topups/send-refund.task.ts'
import { sweepDeadlines } from './sweep-deadlines.task.ts'
import { voidIntent } from './cards/void-intent.task.ts'

export const billing: Room = {
  name: 'billing',
  handlers: [
    settleUnsettled,
    readBalance,
    listTransactions,
    listCreditLots,
    exportLedger,
    verifyJournal,
    explain,
    listPlans,
    getBillingStatus,
    topUp,
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
    backfillMissing,
    correctDrift,
    detectDrift,
    listStorageCorrections,
    listReconciliationRuns,
    removeStale,
    reconcileOrganization,
    reconcileEverybody,
    zeroNegativeNets,
    listInvoices,
    getInvoice,
    downloadInvoice,
    runMonthlyForOrganization,
    runMonthlyForAll,
    readAccrual,
    markOutsideInvoice,
    admitToFreeTier,
    takeOutOfFreeTier,
    grantFreeMonth,
    listWaitingForFreeTier,
    listPendingDeletions,
    cleanUpDeleted,
  ],
  tasks: [
    closeTopups,
    autoTopup,
    applyPaymentEvents,
    sendRefunds,
    sweepDeadlines,
    planMonthEnds,
    hearProcessor,
    finishCard,
    renewCard,
    voidIntent,
  ],
}
