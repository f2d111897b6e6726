import type { Module } from '../../engine/task.ts'
import { listOwnCommitments } from './operations/organizations.commitments.list.ts'
import { getOwnCommitmentStatement } from './operations/organizations.commitments.statement.ts'
import { exportOrganizationAudit } from './operations/organizations.audit.export.ts'
import { listOrganizationAudit } from './operations/organizations.audit.list.ts'
import { verifyOrganizationAudit } from './operations/organizations.audit.verify.ts'
import { listOrganizationDelegations } from './operations/organizations.delegations.list.ts'
import { takeOverDelegation } from './operations/organizations.delegations.take_over.ts'
import { createOrganization } from './operations/organizations.create.ts'
import { deleteOrganization } from './operations/organizations.delete.ts'
import { getOrganization } from './operations/organizations.get.ts'
import { updateOrganization } from './operations/organizations.update.ts'
import { restoreOrganization } from './operations/organizations.restore.ts'
import { addOrganizationMember } from './operations/organizations.members.add.ts'
import { listOrganizationMembers } from './operations/organizations.members.list.ts'
import { setSpendLimit } from './operations/organizations.members.set_spend_limit.ts'
import { getMemberSpend } from './operations/organizations.members.spend.get.ts'
import { sealAudit } from './seal-audit.task.ts'

export const organizations: Module = {
  name: 'organizations',
  handlers: [
    createOrganization,
    getOrganization,
    updateOrganization,
    deleteOrganization,
    restoreOrganization,
    addOrganizationMember,
    listOrganizationMembers,
    setSpendLimit,
    getMemberSpend,
    listOwnCommitments,
    getOwnCommitmentStatement,
    listOrganizationAudit,
    exportOrganizationAudit,
    verifyOrganizationAudit,
    listOrganizationDelegations,
    takeOverDelegation,
  ],
  tasks: [sealAudit],
}
