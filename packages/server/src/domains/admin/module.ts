import type { Module } from '../../engine/task.ts'
import { amendCommitmentTerms } from './operations/admin.commitments.amend.ts'
import { closeCommitmentPeriod } from './operations/admin.commitments.close_period.ts'
import { addCommitment } from './operations/admin.commitments.create.ts'
import { issueCreditNote } from './operations/admin.invoices.credit.ts'
import { markInvoicePaid } from './operations/admin.invoices.mark_paid.ts'
import { adjustCredits } from './operations/admin.orgs.credit_adjust.ts'
import { setOrganizationPlan } from './operations/admin.orgs.set_plan.ts'
import { moveOrder } from './operations/admin.tasking.order_transition.ts'
import { uploadQuotation } from './operations/admin.tasking.quotation_upload.ts'
import { uploadStudy } from './operations/admin.tasking.study_upload.ts'
import { listOperatedAudit } from './operations/admin.audit.list.ts'
import { approveCreditAdjustment } from './operations/admin.credit_adjustments.approve.ts'
import { listCreditAdjustments } from './operations/admin.credit_adjustments.list.ts'
import { rejectCreditAdjustment } from './operations/admin.credit_adjustments.reject.ts'
import { requestCreditAdjustment } from './operations/admin.credit_adjustments.request.ts'
import { listDeadLetters } from './operations/admin.dead_letters.list.ts'
import { retryDeadLetter } from './operations/admin.dead_letters.retry.ts'
import { getOperatedOrganization } from './operations/admin.orgs.get.ts'
import { listOperatedOrganizations } from './operations/admin.orgs.list.ts'
import { resumeOperatedOrganization } from './operations/admin.orgs.resume.ts'
import { suspendOperatedOrganization } from './operations/admin.orgs.suspend.ts'
import { listFlags } from './operations/admin.feature_flags.list.ts'
import { setFlag } from './operations/admin.feature_flags.set.ts'
import { listOperatedProducts } from './operations/admin.data_products.list.ts'
import { approveProductVersion } from './operations/admin.data_products.versions.approve.ts'
import { createProductVersion } from './operations/admin.data_products.versions.create.ts'
import { listVersions } from './operations/admin.data_products.versions.list.ts'
import { rejectProductVersion } from './operations/admin.data_products.versions.reject.ts'
import { approveRateCard } from './operations/admin.rate_cards.approve.ts'
import { createRateCard } from './operations/admin.rate_cards.create.ts'
import { listRates } from './operations/admin.rate_cards.list.ts'
import { rejectRateCard } from './operations/admin.rate_cards.reject.ts'
import { cancelStuckWork } from './operations/admin.stuck_work.cancel.ts'
import { listStuck } from './operations/admin.stuck_work.list.ts'
import { releaseStuckWork } from './operations/admin.stuck_work.release.ts'
import { retryStuckWork } from './operations/admin.stuck_work.retry.ts'
import { disableUser } from './operations/admin.users.disable.ts'
import { enableUser } from './operations/admin.users.enable.ts'
import { impersonateUser } from './operations/admin.users.impersonate.ts'
import { listOperatedUsers } from './operations/admin.users.list.ts'
import { reconcileStorage } from './reconcile-storage.task.ts'

export const admin: Module = {
  name: 'admin',
  handlers: [
    adjustCredits,
    setOrganizationPlan,
    addCommitment,
    amendCommitmentTerms,
    closeCommitmentPeriod,
    markInvoicePaid,
    issueCreditNote,
    uploadStudy,
    uploadQuotation,
    moveOrder,
    listOperatedAudit,
    approveCreditAdjustment,
    listCreditAdjustments,
    rejectCreditAdjustment,
    requestCreditAdjustment,
    listDeadLetters,
    retryDeadLetter,
    getOperatedOrganization,
    listOperatedOrganizations,
    resumeOperatedOrganization,
    suspendOperatedOrganization,
    disableUser,
    enableUser,
    impersonateUser,
    listOperatedUsers,
    listStuck,
    retryStuckWork,
    releaseStuckWork,
    cancelStuckWork,
    listRates,
    createRateCard,
    approveRateCard,
    rejectRateCard,
    listOperatedProducts,
    listVersions,
    createProductVersion,
    approveProductVersion,
    rejectProductVersion,
    listFlags,
    setFlag,
  ],
  tasks: [reconcileStorage],
}
