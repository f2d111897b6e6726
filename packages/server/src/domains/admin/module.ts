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
  ],
  tasks: [reconcileStorage],
}
