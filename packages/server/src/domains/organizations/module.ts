import type { Module } from '../../engine/task.ts'
import { listOwnCommitments } from './operations/organizations.commitments.list.ts'
import { getOwnCommitmentStatement } from './operations/organizations.commitments.statement.ts'
import { createOrganization } from './operations/organizations.create.ts'
import { addOrganizationMember } from './operations/organizations.members.add.ts'
import { listOrganizationMembers } from './operations/organizations.members.list.ts'
import { setSpendLimit } from './operations/organizations.members.set_spend_limit.ts'
import { getMemberSpend } from './operations/organizations.members.spend.get.ts'

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
