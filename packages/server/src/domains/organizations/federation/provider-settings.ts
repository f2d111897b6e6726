import type { organizationsProviderSetOperation } from '@swath/contract/operations/organizations.provider.ts'
import type { ProviderMapping } from '@swath/contract/schemas/people/federation.ts'
import type { ProjectMembership, ProjectMembershipInput } from '@swath/contract/schemas/people/invitation.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { MasterSecretSigner } from '../../../platform/crypto/signer.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { SafeFetchFailure } from '../../../platform/integrations/integrations.ts'
import { requireRoleAtLeast } from '../membership.ts'
import { findMembership } from '../store.ts'
import { parseDomain } from './domains.ts'
import { sealClientSecret } from './providers.ts'
import { listVerifiedDomains } from './store.domains.ts'
import type { ProviderRow } from './store.providers.ts'

type Types = NonNullable<typeof organizationsProviderSetOperation.types>
type ProviderInput = Types['input']

/** Reads the projects that a mapping names; throws `not-found` for one that does not exist. */
type ReadProjects = (inputs: readonly ProjectMembershipInput[]) => Promise<ProjectMembership[]>

/** The settings of a request, checked as far as that needs no lock. */
export interface ProviderSettings extends Omit<ProviderInput, 'domains' | 'mappings'> {
  readonly domains: readonly string[]
  readonly mappings: readonly ProviderMapping[]
}

/**
 * Checks the settings of a provider. Throws `validation` for an issuer that may not be reached, `invalid-state` for a domain that is not
 * verified, and `not-found` for a project that does not exist.
 */
export async function readProviderSettings(
  call: Pick<Call, 'db' | 'organization' | 'integrations'>,
  input: ProviderInput,
  readProjects: ReadProjects,
): Promise<ProviderSettings> {
  const domains = [...new Set(input.domains.map(parseDomain))].sort()
  const verified = await listVerifiedDomains(call.db, call.organization)
  const unverified = domains.find((domain) => !verified.includes(domain))
  if (unverified !== undefined) throw new Problem('invalid-state', `The domain "${unverified}" is not verified.`)
  const mappings = await readMappings(input.mappings, readProjects)
  // Last, because it may wait for name servers.
  await requireIssuer(call, input.issuer)
  return { ...input, domains, mappings }
}

async function requireIssuer({ integrations }: Pick<Call, 'integrations'>, issuer: string): Promise<void> {
  const refuse = (message: string) => validationProblem([{ path: 'issuer', message }])
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (!url || url.search !== '' || url.hash !== '') throw refuse('is not a URL without query and fragment')
  try {
    await integrations.checkUrl(issuer)
  } catch (error) {
    if (error instanceof SafeFetchFailure) throw refuse(`cannot be used: ${error.message}`)
    throw error
  }
}

async function readMappings(inputs: ProviderInput['mappings'], readProjects: ReadProjects): Promise<ProviderMapping[]> {
  const values = inputs.map(({ value }) => value)
  if (new Set(values).size < values.length)
    throw validationProblem([{ path: 'mappings', message: 'has a value twice' }])
  const mappings: ProviderMapping[] = []
  for (const { value, role, projects = [] } of inputs)
    mappings.push({ value, role, projects: await readProjects(projects) })
  if (mappings.some(({ projects }) => projects.some(({ role }) => role === 'owner')))
    throw validationProblem([{ path: 'mappings', message: 'gives the role owner in a project' }])
  return mappings
}

/** The row that replaces one. Without a secret in the request, that of the same client at the same issuer is kept. */
export function toNewProvider(
  settings: ProviderSettings,
  { before, signer, now }: { before: ProviderRow | null; signer: MasterSecretSigner; now: OrganizationTime },
): ProviderRow {
  const { issuer, client_id, client_secret } = settings
  const isSameClient = before?.issuer === issuer && before.client_id === client_id
  const kept = isSameClient ? before.sealed_client_secret : null
  return {
    id: before?.id ?? newId(),
    issuer,
    client_id,
    sealed_client_secret: typeof client_secret === 'string' ? sealClientSecret(client_secret, signer) : kept,
    scopes: settings.scopes,
    domains: settings.domains,
    roles_claim: settings.roles_claim,
    mappings: settings.mappings,
    default_role: settings.default_role as ProviderRow['default_role'],
    mode: settings.mode,
    email_trust: settings.email_trust,
    just_in_time: settings.just_in_time,
    emergency_access: toUserIds(settings.emergency_access ?? before?.emergency_access ?? []),
    created_at: before?.created_at ?? now,
    updated_at: now,
  }
}

const toUserIds = (users: readonly string[]): string[] => [...new Set(users.map((user) => user.toLowerCase()))].sort()

type Change = { readonly before: ProviderRow | null; readonly row: ProviderRow }

/**
 * Throws `forbidden` unless the caller may say which owners keep their password, which is for owners, and `not-found` or `invalid-state`
 * for somebody who is not an owner.
 */
export async function requireEmergencyAccess(
  call: Parameters<typeof requireRoleAtLeast>[0],
  { before, row }: Change,
): Promise<void> {
  const former = before?.emergency_access ?? []
  if (row.emergency_access.join() === former.join()) return
  await requireRoleAtLeast(call, 'owner')
  for (const user of row.emergency_access.filter((id) => !former.includes(id))) {
    const member = await findMembership(call.db, call.organization, user)
    if (!member) throw new Problem('not-found', `No member of the organization has the id "${user}".`)
    if (member.role !== 'owner') throw new Problem('invalid-state', 'Only owners can have emergency access.')
  }
}
