import { projectsCreate } from '@swath/contract/operations/projects.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { organizationRoleOf } from '../organizations/membership.ts'
import { openProject } from './open-project.ts'
import { projectOf } from './project.ts'

export const createProject = handler(projectsCreate, async (call, input) => {
  const role = await organizationRoleOf(call)
  if (role === null || role === 'billing') {
    throw new Problem('not-a-member', 'Only owners, admins and members of the organization can create projects.')
  }
  const project = await call.transaction((tx) =>
    openProject(tx, call, {
      name: input.name,
      description: input.description ?? null,
      region: input.region ?? null,
      owner: call.principal.user,
    }),
  )
  return projectOf(project)
})
