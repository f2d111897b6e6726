import type { Room } from '../../engine/task.ts'
import { changeCommitment } from './admin.commitments.amend.ts'
import { closeCommitmentPeriod } from './admin.commitments.close_period.ts'
import { enterCommitment } from './admin.commitments.create.ts'
import { giveInvoiceBack } from './admin.invoices.credit.ts'
import { markInvoicePaid } from './admin.invoices.mark_paid.ts'
import { adjustCredits } from './admin.orgs.credit_adjust.ts'
import { setPlan } from './admin.orgs.set_plan.ts'
import { reconcileStorage } from './reconcile-storage.task.ts'

export const admin: Room = {
  name: 'admin',
  handlers: [
    adjustCredits,
    setPlan,
    enterCommitment,
    changeCommitment,
    closeCommitmentPeriod,
    markInvoicePaid,
    giveInvoiceBack,
  ],
  tasks: [reconcileStorage],
}
