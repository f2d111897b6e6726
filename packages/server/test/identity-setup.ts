import { pino } from 'pino'
import type { FastifyInstance } from 'fastify'
import { apiKeys } from '../src/domains/api_keys/room.ts'
import { bootstrap } from '../src/domains/identity/bootstrap.ts'
import { enterPerson } from '../src/domains/users/people.ts'
import { createIdentity, type Identity } from '../src/domains/identity/identity.ts'
import type { SignInLimits } from '../src/domains/identity/parts.ts'
import { organizations } from '../src/domains/organizations/room.ts'
import { projects } from '../src/domains/projects/room.ts'
import { users } from '../src/domains/users/room.ts'
import type { Call } from '../src/engine/call.ts'
import { observation } from '../src/engine/observe.ts'
import { perform, type Credentials, type Steps } from '../src/engine/pipeline.ts'
import { Problem } from '../src/engine/problem.ts'
import { identityRoutes } from '../src/http/identity-routes.ts'
import { openServer } from '../src/http/server.ts'
import { manualClock, type ManualClock } from '../src/platform/clock.ts'
import { createRateLimiter } from '../src/platform/rate-limits/limiter.ts'
import type { Database } from '../src/platform/database/database.ts'
import { newId } from '../src/platform/ids.ts'
import { cheapCrypto, cheapPasswords } from './cheap-crypto.ts'
import { openTestDatabase } from './database.ts'
import { idleQueue } from './idle-queue.ts'

export const base = 'http://localhost:8080'
export const realm = '/realms/public/protocol/openid-connect'
export const adminPassword = 'correct horse battery staple'

const rooms = [users, organizations, apiKeys, projects]
const handlers = new Map(rooms.flatMap((room) => room.handlers).map((handler) => [handler.operation.id, handler]))

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly [name: string]: unknown
}

/** The modules of users and organizations on a separate database, with the identity routes and the whole pipeline. */
export interface PeopleHouse {
  readonly app: FastifyInstance
  readonly database: Database
  readonly identity: Identity
  readonly clock: ManualClock
  readonly admin: { readonly id: string; readonly organization: string; readonly project: string }
  /** Posts a form to an endpoint. */
  form(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<FormAnswer>
  signIn(email: string, password: string): Promise<Tokens>
  /** Creates a user without an organization, signed in. */
  stranger(): Promise<Person>
  /** Adds a new user to the organization of the caller, signed in. */
  member(token: string, role: string): Promise<Person>
  /** Creates a user who creates an organization. */
  founder(): Promise<Person & { readonly organization: string }>
  /** Calls an operation with a Bearer token. */
  op(id: string, token: string, input?: unknown): Promise<Record<string, unknown>>
  opWith(id: string, credentials: Partial<Credentials>, input?: unknown): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly token: string
  readonly refresh_token: string
}

export interface FormAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Record<string, unknown>
}

export const adminEmail = 'admin@example.org'

const nothing = new Proxy({}, { get: () => () => Promise.reject(new Error('not available in this test')) }) as never

function stepsOf(database: Database, identity: Identity, clock: ManualClock): Steps {
  return {
    find: (id) => {
      const handler = handlers.get(id)
      return handler ? { operation: handler.operation, answer: handler.answer } : null
    },
    authenticate: (credentials, operation) => identity.authenticate(credentials, operation),
    admit: () => {},
    openCall: (request, principal, operation, claim): Call => {
      const organization = (): string => {
        if (principal.organization === null) throw new Problem('no-organization', 'none')
        return principal.organization
      }
      return {
        operation: operation.id,
        reserve: nothing,
        principal,
        get organization() {
          return organization()
        },
        get db() {
          return database.of(organization())
        },
        get searchDb() {
          return this.db
        },
        across: database.across,
        transaction: (work) => database.of(organization()).transaction(work),
        claim,
        get clock() {
          return clock.of(organization())
        },
        clocks: clock,
        requestId: request.requestId,
        baseUrl: base,
        log: observation(),
        signal: request.signal,
        outside: nothing,
        blobs: nothing,
        queue: idleQueue,
        seller: nothing,
        origin: request.origin,
        quotas: nothing,
        rates: nothing,
        tellLimits: () => {},
        signer: nothing,
        passwords: cheapPasswords,
        within: nothing,
      }
    },
  }
}

/** Starts the app with an administrator who owns the organization "Demo". */
export async function openPeopleHouse(limits: Partial<SignInLimits> = {}): Promise<PeopleHouse> {
  const database = await openTestDatabase()
  const clock = manualClock(new Date('2026-03-01T12:00:00.000Z'))
  const log = pino({ level: 'silent' })
  const options = {
    database,
    clock,
    log,
    sealing_key: new Uint8Array(32).fill(9),
    base_url: base,
    limits,
    ...cheapCrypto(),
  }
  const rates = createRateLimiter({ db: database.across, clock })
  const identity = await createIdentity({ ...options, rates })
  const grant = async (): Promise<void> => {}
  const admin = { email: adminEmail, password: adminPassword }
  const first = await bootstrap({
    across: database.across,
    clock,
    passwords: cheapPasswords,
    queue: idleQueue,
    ...admin,
    demo: true,
    grant,
  })
  if (!first?.project_id) throw new Error('the database was not empty')
  const metrics = { record: () => {} } as never
  const app = openServer({ trustProxy: false, log, metrics, baseUrl: base })
  identityRoutes(app, identity)
  const steps = stepsOf(database, identity, clock)

  const form: PeopleHouse['form'] = async (path, fields, headers = {}) => {
    const answer = await app.inject({
      method: 'POST',
      url: path.startsWith('/') ? path : `${realm}/${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    })
    const body = answer.body.startsWith('{') ? answer.json<Record<string, unknown>>() : {}
    return { status: answer.statusCode, headers: answer.headers, body }
  }
  const opWith: PeopleHouse['opWith'] = async (id, credentials, input = {}) => {
    const outcome = await perform(steps, {
      operation: id,
      credentials: { authorization: null, apiKey: null, address: '127.0.0.1', ...credentials },
      readBody: async () => input,
      inputFrom: 'body',
      idempotencyKey: null,
      baseUrl: base,
      requestId: newId(),
      origin: '127.0.0.1',
      signal: new AbortController().signal,
      log: observation(),
    })
    if (outcome.form !== 'json') throw new Error('the operation must return JSON')
    return JSON.parse(JSON.stringify(outcome.output)) as Record<string, unknown>
  }
  const op: PeopleHouse['op'] = (id, token, input) => opWith(id, { authorization: `Bearer ${token}` }, input)
  const signIn: PeopleHouse['signIn'] = async (username, password) => {
    const { status, body } = await form('token', { grant_type: 'password', username, password })
    if (status !== 200) throw new Error(`sign-in failed: ${status} ${JSON.stringify(body)}`)
    return body as Tokens
  }
  const signedIn = async (id: string, email: string, password: string): Promise<Person> => {
    const { access_token, refresh_token } = await signIn(email, password)
    return { id, email, password, token: access_token, refresh_token }
  }
  const stranger = async (): Promise<Person> => {
    const email = `${newId()}@example.org`
    const password = newId()
    const password_hash = await cheapPasswords.hash(password)
    const terms = { email, name: null, password_hash, password_temporary: false, organization: null }
    const person = await database.across.transaction((tx) => enterPerson(tx, terms, clock.now()))
    return signedIn(person!.id, email, password)
  }
  return {
    app,
    database,
    identity,
    clock,
    admin: { id: first.user_id, organization: first.organization_id, project: first.project_id },
    form,
    signIn,
    stranger,
    member: async (token, role) => {
      const email = `${newId()}@example.org`
      const added = await op('organizations.members.add', token, { email, role })
      return signedIn((added['member'] as { user_id: string }).user_id, email, String(added['one_time_password']))
    },
    founder: async () => {
      const person = await stranger()
      const { id } = await op('organizations.create', person.token, { name: `Founded by ${person.email}` })
      return { ...person, organization: String(id) }
    },
    op,
    opWith,
    close: async () => {
      await app.close()
      await identity.close()
      await rates.close()
      await database.close()
    },
  }
}

/** For `assert.rejects`: matches the problem of that name. */
export const problem = (name: string) => (error: unknown) => {
  if (error instanceof Problem && error.problem === name) return true
  throw error
}
