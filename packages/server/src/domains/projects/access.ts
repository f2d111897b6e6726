import type { ProjectRole } from '@swath/contract/shapes/project.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ProjectRow } from './project.ts'
import {
  findOldestWritable,
  findProject,
  holdProjectOpen,
  listDeletedIds,
  listReadableIds,
  readableAsMember,
  readableIds,
  readsAll,
  type ProjectStanding,
  type Reader,
} from './store.ts'
import { isUuid } from '../../platform/ids.ts'

/** What a person is in a project and in its organization, however it was read. */
export type Standing = Pick<ProjectStanding, 'project_role' | 'organization_role'>

/** What the caller wants to do in a project. */
export type Need = 'read' | 'write' | 'admin'

type Asking = Pick<Call, 'organization' | 'principal' | 'db'>

const opens: Record<Need, ReadonlySet<ProjectRole>> = {
  read: new Set(['owner', 'admin', 'editor', 'viewer']),
  write: new Set(['owner', 'admin', 'editor']),
  admin: new Set(['owner', 'admin']),
}

const noProject = (id: string): Problem => new Problem('not-found', `No project has the id "${id.slice(0, 100)}".`)

const archived = (): Problem => new Problem('invalid-state', 'The project is archived and takes no changes.')

/** Who asks for projects: a person, the issuer behind an API key, or a service, which sees all of its organization. */
export const readerOf = (call: Pick<Call, 'organization' | 'principal'>): Reader => ({
  organization: call.organization,
  user: call.principal.user,
  everything: call.principal.kind === 'service',
})

/**
 * What the caller is in the project: owners and admins of the organization are owners of all its projects,
 * an API key is what its issuer is today. Null for somebody who is no member.
 */
export function standingOf(call: Pick<Call, 'principal'>, project: Standing): ProjectRole | null {
  if (call.principal.kind === 'service') return 'owner'
  // Whoever left the organization has nothing in it, whatever rows remain.
  if (project.organization_role === null) return null
  if (project.organization_role === 'owner' || project.organization_role === 'admin') return 'owner'
  return project.project_role
}

/**
 * The project, if the caller may do what it needs there. Throws `not-found` for an id of nobody or of another
 * organization, `not-a-member` where the role is missing or too low, `invalid-state` for anything but reading in an
 * archived project (`allowArchived` for what archiving itself does).
 */
export async function requireProject(
  call: Asking,
  project_id: string,
  need: Need,
  options: { readonly allowArchived?: boolean } = {},
): Promise<ProjectRow> {
  const { project } = await requireStanding(call, project_id, need, options)
  return project
}

/** As `requireProject`, together with what the caller is in the project. */
export async function requireStanding(
  call: Asking,
  project_id: string,
  need: Need,
  options: { readonly allowArchived?: boolean } = {},
): Promise<{ project: ProjectRow; role: ProjectRole }> {
  const found = isUuid(project_id)
    ? await findProject(call.db, call.organization, project_id, call.principal.user)
    : null
  if (!found) throw noProject(project_id)
  const role = checkStanding(call, found, need)
  if (found.is_archived && need !== 'read' && !options.allowArchived) throw archived()
  return { project: found, role }
}

/** The caller's role; throws `not-a-member` where it is missing or too low for what the caller needs. */
export function checkStanding(call: Pick<Call, 'principal'>, standing: Standing, need: Need): ProjectRole {
  const role = standingOf(call, standing)
  if (role === null) throw new Problem('not-a-member', 'You are not a member of this project.')
  if (opens[need].has(role)) return role
  throw new Problem('not-a-member', `Your role in this project is ${role}, which is too low.`)
}

/**
 * For the transaction that puts something costly or lasting into a project, after `requireProject`: the project can
 * neither be deleted nor archived until it ends. Throws `not-found` or `invalid-state` when that has happened meanwhile.
 */
export async function keepProjectOpen(tx: Tx, call: Pick<Call, 'organization'>, project_id: string): Promise<void> {
  const row = await holdProjectOpen(tx, call.organization, project_id)
  if (!row) throw noProject(project_id)
  if (row.is_archived) throw archived()
}

/** Ids of every project that the caller may read, archived ones included; sorted by id. */
export const visibleProjects = (call: Asking): Promise<string[]> => listReadableIds(call.db, readerOf(call))

/** The same as a query, for a statement that searches in them: each table in it is bound to the organization. */
export const readableProjects = (call: Asking) => readableIds(readerOf(call))

/**
 * The same for a statement that need not name them where they are all: whether they are, and which they are otherwise. What
 * deleted projects held are tombstones.
 */
export const searchedProjects = (call: Asking) => {
  const reader = readerOf(call)
  return { all: readsAll(reader), ids: readableAsMember(reader) }
}

/** Ids of every project of the organization that was deleted, whoever could read it; what it was paid for stays known. */
export const deletedProjects = (call: Asking): Promise<string[]> => listDeletedIds(call.db, call.organization)

/** The caller's oldest project that it may write to and that is not archived. */
export const firstWritableProject = (call: Asking): Promise<ProjectRow | null> =>
  findOldestWritable(call.db, readerOf(call))
