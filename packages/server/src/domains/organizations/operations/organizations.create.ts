import { limits } from '@swath/contract/limits.ts'
import { organizationsCreateOperation } from '@swath/contract/operations/organizations.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { isAccountOwner } from '../../../engine/principal.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { joinOrganization } from '../../identity/memberships/join-organization.ts'
import { findUser } from '../../users/store.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { UserRow } from '../../users/user.ts'
import { initializeSandbox } from '../../sandbox/create-sandbox.ts'
import { requireSandboxYear } from '../../sandbox/sandbox-years.ts'
import { createOrganizationWithSlug } from '../organization.ts'

export const handler = defineHandler(organizationsCreateOperation, async (call, input) => {
  // Declared for users since its first version.
  if (!isAccountOwner(call.principal))
    throw new Problem(
      'forbidden',
      'Only the user in person creates an organization: no program, no token, no provider.',
    )
  const { enterprise_billing, billing_admin_id } = input
  if (enterprise_billing && !call.principal.administrator) {
    throw new Problem('forbidden', 'Only administrators of the platform set enterprise_billing.')
  }
  const owner = await resolveOwner(call, billing_admin_id ?? null)

  const organization = await call.unscoped.transaction(async (tx) => {
    const now = startTime(call, input)
    const organizationInput = {
      ...input,
      billing_admin_id: billing_admin_id ?? owner?.id ?? null,
      plan: enterprise_billing ? ('enterprise' as const) : ('free' as const),
    }
    const created = await createOrganizationWithSlug(tx, organizationInput, now)
    const { organization_id } = created
    if (owner) await addOwner(tx, call, { owner, organization: organization_id })
    if (input.sandbox)
      await initializeSandbox(tx, call, { organization: organization_id, seed: input.sandbox_seed ?? null, now })
    return created
  })
  const { organization_id: id, name, slug } = organization
  return { id, name, slug, enterprise_billing, sandbox: input.sandbox }
})

/** The creation time of the organization on its own clock. Throws `validation` for a time that no sandbox may have. */
function startTime(
  { clocks }: Pick<Call, 'clocks'>,
  input: { readonly sandbox: boolean; readonly sandbox_seed?: string | null; readonly sandbox_time?: string | null },
): Date {
  const { sandbox, sandbox_seed, sandbox_time } = input
  const settings = { sandbox_seed, sandbox_time }
  const given = Object.entries(settings).filter(([, value]) => (value ?? null) !== null)
  if (!sandbox && given.length > 0)
    throw validationProblem(given.map(([path]) => ({ path, message: 'is for sandbox organizations only' })))
  if (typeof sandbox_time !== 'string') return clocks.process.now()
  const time = new Date(sandbox_time)
  requireSandboxYear(time, 'sandbox_time')
  return time
}

/** The caller may be in organizations already; whom an administrator makes the owner may not, since nobody asked that user. */
async function addOwner(
  tx: Tx,
  call: Call,
  { owner, organization }: { readonly owner: UserRow; readonly organization: string },
): Promise<void> {
  const created_at = call.clocks.process.now()
  const joining = { organization, user: owner.id, role: 'owner', created_at } as const
  const outcome = await joinOrganization(tx, call.clocks, { ...joining, isFirst: owner.id !== call.principal.id })
  if (outcome === 'full')
    throw new Problem('invalid-state', `A user may be in ${limits.max_user_organizations} organizations at most.`)
  if (outcome !== 'joined') throw createNoOwnerProblem()
}

const createNoOwnerProblem = (): Problem =>
  new Problem('invalid-state', 'The user is disabled or already in an organization, and is to be invited instead.')

/**
 * The owner: the caller; or, if an administrator of the platform creates it for others, the user without an organization
 * named by `billing_admin_id`, or nobody yet (`organizations.members.add` adds the owner then). An administrator who wants to own
 * it names itself.
 */
async function resolveOwner(call: Call, billing_admin_id: string | null): Promise<UserRow | null> {
  const isForOthers = billing_admin_id !== null && billing_admin_id !== call.principal.id
  if (isForOthers && !call.principal.administrator) {
    throw new Problem('forbidden', 'Only the caller can be the billing admin of a new organization.')
  }
  if (billing_admin_id === null && call.principal.administrator && call.principal.organization !== null) return null
  const user = await findUser(call.unscoped, isForOthers ? billing_admin_id : call.principal.id)
  if (!user) throw new Problem('forbidden', 'The billing admin does not exist or cannot own the organization.')
  if (isForOthers && user.organization_id !== null) throw createNoOwnerProblem()
  return user
}
