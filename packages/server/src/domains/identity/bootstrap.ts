import type { Principal } from '../../engine/call.ts'
import { invariant } from '../../engine/problem.ts'
import type { Clock, OrganizationClocks } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/passwords.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { newId, randomText } from '../../platform/ids.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import type { Actor } from '../events/emit.ts'
import { addMembership, foundOrganization } from '../organizations/organization.ts'
import { openProject } from '../projects/open-project.ts'
import { enterPerson } from '../users/people.ts'
import { hasAnybody, lockFirstStart } from './store.bootstrap.ts'

export interface BootstrapOptions {
  /** Unscoped: there is no organization yet. */
  readonly across: Db
  readonly clock: Clock & OrganizationClocks
  readonly passwords: PasswordHasher
  readonly email: string
  /** Null generates a random one. */
  readonly password: string | null
  /** Generates that password and saves it before it is used. */
  readonly makePassword?: () => Promise<string>
  /** Creates a first project and the first credits; otherwise only the organization and its owner. */
  readonly demo: boolean
  readonly queue: Queue
  /** Grants the first credits, in the same transaction. */
  readonly grant: (tx: Tx, actor: Actor) => Promise<void>
}

/** The result of a first start. The password is not available afterwards. */
export interface Bootstrapped {
  readonly email: string
  readonly password: string
  /** False if the password was configured. */
  readonly generated: boolean
  readonly user_id: string
  readonly organization_id: string
  /** Null without `demo`. */
  readonly project_id: string | null
}

const service: Principal = {
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
export async function bootstrap(options: BootstrapOptions): Promise<Bootstrapped | null> {
  const { across, clock } = options
  if (await hasAnybody(across)) return null
  const makePassword = options.makePassword ?? (async () => randomText(20))
  const password = options.password ?? (await makePassword())
  const password_hash = await options.passwords.hash(password)

  return across.transaction(async (tx) => {
    await lockFirstStart(tx)
    if (await hasAnybody(tx)) return null
    const now = clock.now()
    const founding = { name: options.demo ? 'Demo' : 'Organization', plan: 'prepaid', country: 'AU' } as const
    const { organization_id } = await foundOrganization(tx, founding, now)
    const terms = { email: options.email, name: 'Administrator', password_hash, password_temporary: false }
    const person = await enterPerson(tx, { ...terms, organization: organization_id, administrator: true }, now)
    invariant(person, 'there is no user before the first start')
    const { id: user_id, email, name } = person
    await addMembership(tx, { organization_id, user_id, email, name, role: 'owner', created_at: now })

    const project_id = options.demo ? await openSamples(tx, options, { organization: organization_id, user_id }) : null
    return { email, password, generated: options.password === null, user_id, organization_id, project_id }
  })
}

/** Creates a project of the administrator and grants credits. Returns the id of the project. */
async function openSamples(
  tx: Tx,
  { clock, queue, grant }: BootstrapOptions,
  { organization, user_id }: { organization: string; user_id: string },
): Promise<string> {
  const actor: Actor = {
    organization,
    principal: service,
    clock: clock.of(organization),
    queue,
    operation: 'bootstrap',
    requestId: newId(),
  }
  const first = { name: 'First project', description: null, region: null, owner: user_id }
  const project = await openProject(tx, actor, first)
  await grant(tx, actor)
  return project.id
}
