import { organizationPermissions } from '@swath/contract/access.ts'
import type { Operation } from '@swath/contract/operation.ts'
import type { ProjectRole } from '@swath/contract/schemas/project.ts'
import { hiddenFromOutsiders, memberReadable } from '../../../packages/server/test/accounts/access-exceptions.ts'
import type { MatrixPrincipal, PrincipalFacts, Target } from './facts.ts'

/** What the declarations say about a case. */
export type Expectation =
  /** Exactly this refusal. */
  | { readonly kind: 'refused'; readonly status: number; readonly problem: string }
  /** One of these refusals, and no other answer. */
  | { readonly kind: 'denied'; readonly problems: readonly string[] }
  /** The answer to an id that does not exist, byte by byte: 404, or an earlier refusal. */
  | { readonly kind: 'absent'; readonly problems: readonly string[] }
  /** A list or batch that has nothing of the ids. */
  | { readonly kind: 'empty' }
  /** The operation runs: it succeeds, or ends with a problem that it declares and that is none of these. */
  | { readonly kind: 'granted'; readonly not: readonly string[]; readonly succeeds: boolean }

const refuse = (status: number, problem: string): Expectation => ({ kind: 'refused', status, problem })

/** The patterns of the page on identity: the scope itself, `resource:*`, and `*:action` of resources that are not privileged. */
function covers(pattern: string, scope: string): boolean {
  const [resource, action] = scope.split(':')
  const isPrivileged = resource === 'admin' || resource === 'clip'
  return pattern === scope || pattern === `${resource}:*` || (!isPrivileged && pattern === `*:${action}`)
}

/** The refusals before the body is read, which depend on the principal and the operation alone. */
export function expectBeforeInput(
  { facts, credential }: MatrixPrincipal,
  { id, scope, callers, effect, public: isPublic }: Operation,
): Expectation | null {
  const hasCredential = credential.bearer !== undefined
  if (!facts.isAccepted && (hasCredential || !isPublic)) return refuse(401, 'unauthenticated')
  if (isPublic && !hasCredential) return null
  if (facts.operations && !facts.operations.includes(id))
    return scope === null ? refuse(401, 'unauthenticated') : refuse(403, 'insufficient-scope')
  if (facts.kind === 'impersonation' && effect !== 'read') return refuse(403, 'insufficient-scope')
  if (scope !== null && !facts.scopes.some((pattern) => covers(pattern, scope)))
    return refuse(403, 'insufficient-scope')
  const isInPerson = facts.kind === 'human' && !facts.isDelegated
  if ((callers === 'interactive-users' || callers === 'account-owners') && !isInPerson)
    return refuse(403, 'user-required')
  const isNamed = scope !== null && facts.scopes.includes(scope)
  const isPermitted = callers === 'any' || (callers === 'users-and-named-keys' && isNamed)
  if (facts.kind === 'api_key' && !isPermitted) return refuse(403, 'user-required')
  return null
}

const projectRoles: readonly (ProjectRole | null)[] = [null, 'viewer', 'editor', 'admin', 'owner']
const isAtLeast = (role: ProjectRole | null, needed: ProjectRole): boolean =>
  projectRoles.indexOf(role) >= projectRoles.indexOf(needed)

/** The role in the project of a target: owners and admins of the organization own all projects. */
function roleInProject({ role, projects }: PrincipalFacts, target: Target): ProjectRole | null {
  if (role === 'owner' || role === 'admin') return 'owner'
  return target === 'other project' ? projects.otherProject : projects.own
}

/** Whether the role in the organization grants the permission of an operation. */
function hasPermission({ role, projects }: PrincipalFacts, { permission }: Operation): boolean {
  if (permission === null) return true
  const { roles, includesProjectWriters = false } = organizationPermissions[permission]
  const isWriter = [projects.own, projects.otherProject].some((one) => isAtLeast(one, 'editor'))
  return role !== null && (roles.includes(role) || (includesProjectWriters && isWriter))
}

/** What readers of a project may do: measure it, and have reports, webhooks and tokens for its tiles of their own. */
const ofReaders = /^(alerts\.(acknowledge_event|backtest_rule)|analytics|reports|webhooks|items\.tile\.token)(\.|$)/

/** Reading, also with an effect, is for any role in a project; all else for one that may write. */
const neededRole = ({ id, scope, effect }: Operation): ProjectRole =>
  effect === 'read' || scope?.endsWith(':read') || ofReaders.test(id) ? 'viewer' : 'editor'

/** Refusals that say nothing about an entity but that the caller may not. */
const roleRefusals = ['not-a-member', 'forbidden'] as const
const authorizationRefusals = ['unauthenticated', 'insufficient-scope', 'user-required', 'no-organization'] as const

export interface ExpectedCase {
  readonly principal: MatrixPrincipal
  readonly operation: Operation
  readonly target: Target
  /** The field is a filter or a list of ids: what is not there is left out. */
  readonly isFilter: boolean
  /** Other fields name entities of the caller. */
  readonly isMixed: boolean
  /** It is called by another route than the canonical ones, which may have less than the operation. */
  readonly isOtherRoute: boolean
  /** The route takes the token of a tile. */
  readonly isTile: boolean
}

export function expectAnswer(one: ExpectedCase): Expectation {
  const { principal, operation, target, isFilter } = one
  const { facts, isWithoutOrganization = false } = principal
  if (one.isTile && principal.credential.tileToken !== undefined) return expectOfTile(target)
  const early = expectBeforeInput(principal, operation)
  if (early) return early
  if (operation.public) return expectOfVisitor(target)
  if (principal.isOperator && isOfOperators(operation)) return { kind: 'granted', not: [], succeeds: false }
  if (facts.kind === 'worker') return expectOfWorker(target)
  if (isWithoutOrganization) return expectWithoutOrganization(operation, target)
  if (!hasPermission(facts, operation)) return refuse(403, 'forbidden')
  if (target === 'none') return { kind: 'granted', not: authorizationRefusals, succeeds: false }
  if (target === 'own' || target === 'other project') return expectInOrganization(one)
  return isFilter && !earlierRefusals[operation.id]
    ? { kind: 'empty' }
    : { kind: 'absent', problems: absentRefusals(facts, operation) }
}

/** Operations with which operators name an organization. */
export const isOfOperators = ({ id, scope }: Operation): boolean =>
  scope?.startsWith('admin:') === true || id === 'organizations.members.add'

/** Tiles of its item, and nothing else. */
const expectOfTile = (target: Target): Expectation =>
  target === 'own'
    ? { kind: 'granted', not: authorizationRefusals, succeeds: false }
    : { kind: 'absent', problems: ['not-found'] }

/** The link of a share is for what is in it. */
const expectOfVisitor = (target: Target): Expectation =>
  target === 'none' || target === 'own'
    ? { kind: 'granted', not: [], succeeds: false }
    : { kind: 'absent', problems: ['not-found', 'unauthenticated'] }

/** Its own job, and no other. */
const expectOfWorker = (target: Target): Expectation =>
  target === 'own'
    ? { kind: 'granted', not: authorizationRefusals, succeeds: false }
    : { kind: 'denied', problems: ['insufficient-scope', 'forbidden', 'not-found'] }

function expectWithoutOrganization({ id, permission }: Operation, target: Target): Expectation {
  const earlier = earlierRefusals[id] ?? []
  const problems = ['no-organization', 'not-found', ...earlier, ...(permission === null ? [] : ['forbidden'])]
  return target === 'none' ? { kind: 'granted', not: [], succeeds: false } : { kind: 'denied', problems }
}

/** Refusals before an id is looked up that do not depend on it. */
const earlierRefusals: Readonly<Record<string, readonly string[]>> = {
  // Only the caller may be named.
  'organizations.create': ['forbidden'],
  // The domain of the example is not verified.
  'organizations.provider.set': ['invalid-state'],
  // A quote excludes the captures of the example.
  'orders.archive.place': ['conflicting-parameters', 'validation'],
  'orders.place': ['conflicting-parameters', 'validation'],
  'orders.tasking.place': ['conflicting-parameters', 'validation'],
  // Only owners and admins read about others.
  'organizations.members.spend.get': ['forbidden'],
}

/** Operations that declare so refuse keys for what costs or manages. */
const refusalsOfKeys = ({ kind }: PrincipalFacts, { problems }: Operation): readonly string[] =>
  kind === 'api_key' && problems.includes('user-required') ? ['user-required'] : []

/** With an id that is absent: 404, unless the role of the caller refuses before the id is looked up. */
function absentRefusals(facts: PrincipalFacts, operation: Operation): readonly string[] {
  const isEntitled = isAtLeast(roleInProject(facts, 'own'), neededRole(operation))
  const earlier = [...(earlierRefusals[operation.id] ?? []), ...refusalsOfKeys(facts, operation)]
  return isEntitled && operation.acts_on === null
    ? ['not-found', ...earlier]
    : ['not-found', ...earlier, ...roleRefusals]
}

/** The billing role sees all billing data, whatever project it is about. */
export const isOfBilling = ({ role }: PrincipalFacts, { id }: Operation): boolean =>
  role === 'billing' && id.startsWith('billing.')

function expectInOrganization({ principal: { facts }, operation, target, ...one }: ExpectedCase): Expectation {
  const role = roleInProject(facts, target)
  const isOwner = facts.role === 'owner'
  // What belongs to a person or to the organization as a whole is not decided by roles in projects.
  const isPersonal = hiddenFromOutsiders.has(operation.id) || memberReadable.has(operation.id)
  const isOfParent = one.isMixed && target === 'other project'
  if (isAtLeast(role, neededRole(operation))) {
    const not = isOwner ? [...authorizationRefusals, 'not-a-member'] : authorizationRefusals
    const succeeds = isOwner && operation.effect === 'read' && !isPersonal && !isOfParent && !one.isOtherRoute
    return { kind: 'granted', not, succeeds }
  }
  // A permission in the organization is for all that it has; the billing role explains every charge.
  const isOfOrganization = operation.permission !== null || isOfBilling(facts, operation)
  if (isOfOrganization || memberReadable.has(operation.id))
    return { kind: 'granted', not: authorizationRefusals, succeeds: false }
  if (one.isFilter) return { kind: 'empty' }
  // An entity of another project is none of the project, item or collection that another field names.
  const problems = [
    ...roleRefusals,
    ...(isOfParent ? ['not-found'] : []),
    ...(earlierRefusals[operation.id] ?? []),
    ...refusalsOfKeys(facts, operation),
  ]
  return { kind: 'denied', problems: hiddenFromOutsiders.has(operation.id) ? ['not-found', 'forbidden'] : problems }
}
