import { projectsCreateOperation } from '@swath/contract/operations/projects.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { getOrganizationRole } from '../../organizations/membership.ts'
import { createProjectWithOwner } from '../create-project.ts'
import { toProject } from '../project.ts'

export const handler = defineHandler(projectsCreateOperation, async (call, input) => {
  const role = await getOrganizationRole(call)
  if (role === null || role === 'billing') {
    throw new Problem('not-a-member', 'Only owners, admins and members of the organization can create projects.')
  }
  const project = await call.transaction((tx) =>
    createProjectWithOwner(tx, call, {
      name: input.name,
      description: input.description ?? null,
      region: input.region ?? null,
      owner: call.principal.user,
    }),
  )
  return toProject(project)
})
