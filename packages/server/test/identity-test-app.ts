import { everyScope } from '@swath/client/every-scope.ts'
import { pino } from 'pino'
import { requireOrganizationPermission } from '../src/domains/projects/permissions.ts'
import type { FastifyInstance } from 'fastify'
import { operationHandlers } from '../src/domains/handlers.ts'
import { bootstrapDeployment } from '../src/domains/identity/bootstrap.ts'
import { createUser } from '../src/domains/users/users.ts'
import { createFailureThrottle } from '../src/domains/identity/failure-throttle.ts'
import { defaultSignInLimits } from '../src/domains/identity/account/sign-in-limits.ts'
import { createIdentityService, type IdentityService, type IdentityOptions } from '../src/domains/identity/identity.ts'
import type { SignInLimits } from '../src/domains/identity/dependencies.ts'
import type { Call } from '../src/engine/call.ts'
import { createCallLog } from '../src/engine/call-log.ts'
import type { CallCredentials } from '../src/engine/pipeline/call-request.ts'
import { executeCall } from '../src/engine/pipeline.ts'
import type { CallPipelineDependencies } from '../src/engine/pipeline/state.ts'
import { Problem } from '../src/engine/problem.ts'
import { registerOidcRoutes } from '../src/http/routes/oidc-routes.ts'
import { createHttpServer } from '../src/http/server.ts'
import { createManualClock, type ManualClock } from '../src/platform/clock.ts'
import { createMasterSecretSigner } from '../src/platform/crypto/signer.ts'
import { createRateLimiter } from '../src/platform/rate-limits/limiter.ts'
import type { Database } from '../src/platform/database/database.ts'
import { newId } from '../src/platform/ids.ts'
import { createTestCrypto, testPasswordHasher } from './test-crypto.ts'
import { openTestDatabase } from './database.ts'
import { noOpenIdProviders } from './federation/no-openid.ts'
import { emptyQueue, noopQueue, noSandboxes } from './noop-queue.ts'

export const baseUrl = 'http://localhost:8080'
export const realmPath = '/realms/public/protocol/openid-connect'
export const adminPassword = 'correct horse battery staple'

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly [name: string]: unknown
}

/** The modules of users and organizations on a separate database, with the identity routes and the whole pipeline. */
export interface IdentityTestApp {
  readonly server: FastifyInstance
  readonly database: Database
  readonly identity: IdentityService
  readonly clock: ManualClock
  readonly admin: { readonly id: string; readonly organization: string; readonly project: string }
  /** Posts a form to an endpoint. */
  postForm(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<FormResponse>
  signIn(email: string, password: string): Promise<Tokens>
  /** Creates a user without an organization, signed in. */
  createOutsider(): Promise<SignedInUser>
  /** Adds a new user to the organization of the caller, signed in. */
  addMember(token: string, role: string): Promise<SignedInUser>
  /** Creates a user who creates an organization. */
  createFounder(): Promise<SignedInUser & { readonly organization: string }>
  /** Calls an operation with a Bearer token. */
  callOperation(id: string, token: string, input?: unknown): Promise<Record<string, unknown>>
  callOperationWith(
    id: string,
    credentials: Partial<CallCredentials>,
    input?: unknown,
  ): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export interface SignedInUser {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly token: string
  readonly refresh_token: string
}

export interface FormResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Record<string, unknown>
}

/** Redirect URIs of the console, beside its own. */
export const additionalRedirectUris = [
  'http://localhost:5173/auth/callback',
  'http://127.0.0.1/native',
  'https://dev.example/cb?x=1',
]

export const adminEmail = 'admin@example.org'

const unavailable = new Proxy({}, { get: () => () => Promise.reject(new Error('not available in this test')) }) as never

function createPipelineDependencies(
  database: Database,
  identity: IdentityService,
  clock: ManualClock,
): CallPipelineDependencies {
  return {
    find: (id) => operationHandlers.get(id) ?? null,
    authenticate: (credentials, operation) => identity.authenticate(credentials, operation),
    enforceRateLimits: () => {},
    connectTo: (organization) => database.forOrganization(organization),
    requirePermission: requireOrganizationPermission,
    createCall: (request, principal, operation, { claim }): Call => {
      const organization = (): string => {
        if (principal.organization === null) throw new Problem('no-organization', 'none')
        return principal.organization
      }
      return {
        operation: operation.id,
        reserveResponseBytes: unavailable,
        isDryRun: false,
        asDryRun: unavailable,
        principal,
        get organization() {
          return organization()
        },
        get db() {
          return database.forOrganization(organization())
        },
        get itemSearchDb() {
          return this.db
        },
        unscoped: database.unscoped,
        transaction: (work) => database.forOrganization(organization()).transaction(work),
        claim,
        get clock() {
          return clock.forOrganization(organization())
        },
        clocks: clock,
        requestId: request.requestId,
        baseUrl: baseUrl,
        log: createCallLog(),
        signal: request.signal,
        integrations: unavailable,
        processServices: unavailable,
        blobs: unavailable,
        queue: noopQueue,
        operatedQueue: emptyQueue,
        sandboxRunner: noSandboxes,
        seller: unavailable,
        rateLimitKey: request.rateLimitKey,
        quotas: unavailable,
        rateLimiter: unavailable,
        reportRateLimits: () => {},
        signer: unavailable,
        passwords: testPasswordHasher,
        asOrganization: unavailable,
      }
    },
  }
}

/** Starts the app with an administrator who owns the organization "Demo". */
export async function startIdentityTestApp(
  limits: Partial<SignInLimits> = {},
  overrides: Partial<Pick<IdentityOptions, 'passwords' | 'client_document_fetch' | 'client_registration'>> = {},
): Promise<IdentityTestApp> {
  const database = await openTestDatabase()
  const clock = createManualClock(new Date('2026-03-01T12:00:00.000Z'))
  const log = pino({ level: 'silent' })
  const options = {
    database,
    clock,
    log,
    sealing_keys: [new Uint8Array(32).fill(9)] as const,
    base_url: baseUrl,
    signer: createMasterSecretSigner([new Uint8Array(32).fill(8)]),
    console_redirect_uris: additionalRedirectUris,
    oauth_public_client_ids: ['another-program'],
    client_document_fetch: null,
    client_registration: true,
    queue: noopQueue,
    openid: noOpenIdProviders,
    first_credentials_file: '.data/first-credentials.json',
    ...createTestCrypto(),
    ...overrides,
  }
  const rateLimiter = createRateLimiter({ db: database.unscoped, clock })
  const guard = { throttle: createFailureThrottle(rateLimiter), limits: { ...defaultSignInLimits, ...limits } }
  const identity = await createIdentityService({ ...options, rates: rateLimiter, guard })
  const grant = async (): Promise<void> => {}
  const admin = { email: adminEmail, password: adminPassword }
  const firstInstallation = await bootstrapDeployment({
    unscoped: database.unscoped,
    clock,
    passwords: testPasswordHasher,
    queue: noopQueue,
    ...admin,
    demo: true,
    grant,
  })
  if (!firstInstallation?.project_id) throw new Error('the database was not empty')
  const metrics = { record: () => {} } as never
  const server = createHttpServer({ trustProxy: false, log, metrics, baseUrl: baseUrl })
  registerOidcRoutes(server, identity)
  const pipeline = createPipelineDependencies(database, identity, clock)

  const postForm: IdentityTestApp['postForm'] = async (path, fields, headers = {}) => {
    const response = await server.inject({
      method: 'POST',
      url: path.startsWith('/') ? path : `${realmPath}/${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    })
    const body = response.body.startsWith('{') ? response.json<Record<string, unknown>>() : {}
    return { status: response.statusCode, headers: response.headers, body }
  }
  const callOperationWith: IdentityTestApp['callOperationWith'] = async (id, credentials, input = {}) => {
    const outcome = await executeCall(pipeline, {
      operation: id,
      credentials: { authorization: null, apiKey: null, address: '127.0.0.1', ...credentials },
      readBody: async () => input,
      inputSource: 'body',
      idempotencyKey: null,
      baseUrl: baseUrl,
      requestId: newId(),
      rateLimitKey: '127.0.0.1',
      signal: new AbortController().signal,
      log: createCallLog(),
    })
    if (outcome.kind !== 'json') throw new Error('the operation must return JSON')
    return JSON.parse(JSON.stringify(outcome.output)) as Record<string, unknown>
  }
  const callOperation: IdentityTestApp['callOperation'] = (id, token, input) =>
    callOperationWith(id, { authorization: `Bearer ${token}` }, input)
  const signIn: IdentityTestApp['signIn'] = async (username, password) => {
    const { status, body } = await postForm('token', { grant_type: 'password', username, password, scope: everyScope })
    if (status !== 200) throw new Error(`sign-in failed: ${status} ${JSON.stringify(body)}`)
    return body as Tokens
  }
  const signInUser = async (id: string, email: string, password: string): Promise<SignedInUser> => {
    const { access_token, refresh_token } = await signIn(email, password)
    return { id, email, password, token: access_token, refresh_token }
  }
  const createOutsider = async (): Promise<SignedInUser> => {
    const email = `${newId()}@example.org`
    const password = newId()
    const password_hash = await testPasswordHasher.hash(password)
    const userInput = { email, name: null, password_hash, password_temporary: false, organization: null }
    const user = await database.unscoped.transaction((tx) => createUser(tx, userInput, clock.now()))
    return signInUser(user!.id, email, password)
  }
  return {
    server,
    database,
    identity,
    clock,
    admin: {
      id: firstInstallation.user_id,
      organization: firstInstallation.organization_id,
      project: firstInstallation.project_id,
    },
    postForm,
    signIn,
    createOutsider,
    addMember: async (token, role) => {
      const email = `${newId()}@example.org`
      const added = await callOperation('organizations.members.add', token, { email, role })
      return signInUser((added['member'] as { user_id: string }).user_id, email, String(added['one_time_password']))
    },
    createFounder: async () => {
      const user = await createOutsider()
      const { id } = await callOperation('organizations.create', user.token, { name: `Founded by ${user.email}` })
      return { ...user, organization: String(id) }
    },
    callOperation,
    callOperationWith,
    close: async () => {
      await server.close()
      await identity.close()
      await rateLimiter.close()
      await database.close()
    },
  }
}

/** Matches the problem of that name, for `assert.rejects`. */
export const rejectedWith = (name: string) => (error: unknown) => {
  if (error instanceof Problem && error.problem === name) return true
  throw error
}
