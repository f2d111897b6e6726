import type { Module } from '../../engine/task.ts'
import { amendCommitmentTerms } from './admin.commitments.amend.ts'
import { closeCommitmentPeriod } from './admin.commitments.close_period.ts'
import { addCommitment } from './admin.commitments.create.ts'
import { issueCreditNote } from './admin.invoices.credit.ts'
import { markInvoicePaid } from './admin.invoices.mark_paid.ts'
import { adjustCredits } from './admin.orgs.credit_adjust.ts'
import { setOrganizationPlan } from './admin.orgs.set_plan.ts'
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
  ],
  tasks: [reconcileStorage],
}
