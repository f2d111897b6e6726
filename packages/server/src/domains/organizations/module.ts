import type { Module } from '../../engine/task.ts'
import { listOwnCommitments } from './organizations.commitments.list.ts'
import { getOwnCommitmentStatement } from './organizations.commitments.statement.ts'
import { createOrganization } from './organizations.create.ts'
import { addOrganizationMember } from './organizations.members.add.ts'
import { listOrganizationMembers } from './organizations.members.list.ts'
import { setSpendLimit } from './organizations.members.set_spend_limit.ts'
import { getMemberSpend } from './organizations.members.spend.get.ts'

export const organizations: Module = {
  name: 'organizations',
  handlers: [
    createOrganization,
    addOrganizationMember,
    listOrganizationMembers,
    setSpendLimit,
    getMemberSpend,
    listOwnCommitments,
    getOwnCommitmentStatement,
  ],
  tasks: [],
}
