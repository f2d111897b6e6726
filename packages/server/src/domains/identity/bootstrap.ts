import type { Principal } from '../../engine/call.ts'
import { assertInvariant } from '../../engine/problem.ts'
import type { Clock, OrganizationClocks } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/passwords.ts'
import type { DbConnection, Tx } from '../../platform/database/database.ts'
import { newId, randomText } from '../../platform/ids.ts'
import type { QueueProducer } from '../../platform/queue/queue.ts'
import type { Actor } from '../../engine/actor.ts'
import { createOrganizationWithSlug } from '../organizations/organization.ts'
import { createProjectWithOwner } from '../projects/create-project.ts'
import { createUser } from '../users/users.ts'
import { joinOrganization } from './memberships/join-organization.ts'
import { hasAnyUser, lockBootstrap } from './store.bootstrap.ts'

export interface BootstrapOptions {
  /** Unscoped: there is no organization yet. */
  readonly unscoped: DbConnection
  readonly clock: Clock & OrganizationClocks
  readonly passwords: PasswordHasher
  readonly email: string
  /** Null generates a random one. */
  readonly password: string | null
  /** True if whoever starts the server is the only one who can see the generated password: it need not be replaced then. */
  readonly isPrivate?: boolean
  /** Generates that password and saves it before it is used. */
  readonly generatePassword?: () => Promise<string>
  /** Creates a first project and the first credits; otherwise only the organization and its owner. */
  readonly demo: boolean
  readonly queue: QueueProducer
  /** Grants the first credits, in the same transaction. */
  readonly grant: (tx: Tx, actor: Actor) => Promise<void>
}

/** The result of a first start. The password is not available afterwards. */
export interface BootstrapResult {
  readonly email: string
  readonly password: string
  /** False if the password was configured. */
  readonly generated: boolean
  readonly user_id: string
  readonly organization_id: string
  /** Null without `demo`. */
  readonly project_id: string | null
}

const servicePrincipal: Principal = {
  kind: 'service',
  id: 'bootstrap',
  user: null,
  organization: null,
  role: null,
  scopes: ['*'],
  administrator: false,
}

/**
 * At the first start of a deployment: creates its administrator and their organization, and with `demo` a first project and
 * the first credits, in one transaction. Null if there is a user already, also if another process was faster.
 */
export async function bootstrapDeployment(options: BootstrapOptions): Promise<BootstrapResult | null> {
  const { unscoped, clock } = options
  if (await hasAnyUser(unscoped)) return null
  const generatePassword = options.generatePassword ?? (async () => randomText(20))
  const password = options.password ?? (await generatePassword())
  const password_hash = await options.passwords.hash(password)

  return unscoped.transaction(async (tx) => {
    await lockBootstrap(tx)
    if (await hasAnyUser(tx)) return null
    const now = clock.now()
    const organizationInput = { name: options.demo ? 'Demo' : 'Organization', plan: 'prepaid', country: 'AU' } as const
    const { organization_id } = await createOrganizationWithSlug(tx, organizationInput, now)
    // A generated password was printed and is in a file: where others may have read it, whoever signs in with a browser
    // chooses another one.
    const password_temporary = options.password === null && !options.isPrivate
    const userInput = { email: options.email, name: 'Administrator', password_hash, password_temporary }
    const user = await createUser(tx, { ...userInput, organization: organization_id, administrator: true }, now)
    assertInvariant(user, 'there is no user before the first start')
    const { id: user_id, email } = user
    await joinOrganization(tx, clock, { organization: organization_id, user: user_id, role: 'owner' })

    const project_id = options.demo
      ? await createFirstProject(tx, options, { organization: organization_id, user_id })
      : null
    return { email, password, generated: options.password === null, user_id, organization_id, project_id }
  })
}

/** Creates a project of the administrator and grants credits. Returns the id of the project. */
async function createFirstProject(
  tx: Tx,
  { clock, queue, grant }: BootstrapOptions,
  { organization, user_id }: { organization: string; user_id: string },
): Promise<string> {
  const actor: Actor = {
    organization,
    principal: servicePrincipal,
    clock: clock.forOrganization(organization),
    queue,
    operation: 'bootstrap',
    requestId: newId(),
  }
  const projectInput = { name: 'First project', description: null, region: null, owner: user_id }
  const project = await createProjectWithOwner(tx, actor, projectInput)
  await grant(tx, actor)
  return project.id
}
