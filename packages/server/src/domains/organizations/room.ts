import type { Room } from '../../engine/task.ts'
import { createOrganization } from './organizations.create.ts'
import { addOrganizationMember } from './organizations.members.add.ts'

export const organizations: Room = {
  name: 'organizations',
  handlers: [createOrganization, addOrganizationMember],
  tasks: [],
}
