import { hour_ms } from '@swath/geo/time-units.ts'
import type { Principal } from '../../engine/call.ts'
import type { CallCredentials } from '../../engine/pipeline/call-request.ts'
import { type Clock, type OrganizationClocks, monotonic_ms, shiftOrganizationTimes } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/passwords.ts'
import type { CurrentAndAcceptedKeys } from '../../platform/crypto/signatures.ts'
import type { MasterSecretSigner } from '../../platform/crypto/signer.ts'
import { type KeyPairGenerator, openSigningKeys } from '../../platform/crypto/signing-keys.ts'
import type { Database, DbConnection } from '../../platform/database/database.ts'
import { listenToChannel } from '../../platform/database/listen.ts'
import type { KeyRing } from '../../platform/crypto/key-ring.ts'
import type { Logger } from '../../platform/log.ts'
import type { OpenIdProviders } from '../../platform/integrations/openid/openid-types.ts'
import type { QueueProducer } from '../../platform/queue/queue.ts'
import type { RateLimiter } from '../../platform/rate-limits/rate-limit.ts'
import { deleteAccountMailsBefore } from './account/store.account-mails.ts'
import { createAccessTokenService } from './access-tokens.ts'
import { type AuthenticationRequirement, authenticatePrincipal } from './authenticate.ts'
import { signingKeysChangeSubject, onPrincipalChange, publishPrincipalChange } from './principal-changes.ts'
import { createClientDocuments } from './clients/client-documents.ts'
import { deleteRegisteredClientsUnusedSince } from './clients/store.registered-clients.ts'
import { limits } from '@swath/contract/limits.ts'
import type { SafeFetch } from '../../platform/integrations/integrations.ts'
import { createPublicClients } from './browser/public-clients.ts'
import { type IdentityEndpoints, createIdentityEndpoints } from './endpoints.ts'
import { type ApiKeyUsageRecorder, createApiKeyUsageRecorder } from './api-keys/api-key-last-used.ts'
import type { IdentityDependencies } from './dependencies.ts'
import { createTokenCache } from './token-cache.ts'
import {
  deleteOldPrincipalChanges,
  listRecentPrincipalChanges,
  principalChangesChannel,
} from './store.principal-changes.ts'
import { findSigningKeyRing, upsertKeyRing } from './store.keyring.ts'
import { deletePasskeyChallengesBefore } from './passkeys/store.passkeys.ts'
import { runPeriodically } from '../../platform/run-periodically.ts'
import { deleteProviderLoginsBefore } from './federation/store.provider-logins.ts'
import { deleteAuthorizationCodesBefore } from './browser/store.authorization-codes.ts'
import { deleteDeviceCodesBefore } from './device/store.device-codes.ts'
import { handleScimRequest } from './scim/handle-scim-request.ts'
import type { ScimEndpoint } from './scim/scim-request.ts'
import type { SignInGuard } from './account/sign-in-guard.ts'
import { deleteSessionsBefore } from './store.sessions.ts'
import { deleteEndedPersonalTokens } from './personal-tokens/personal-tokens.ts'
import { deleteEndedTileTokens } from './tile-tokens/tile-tokens.ts'

/** Polls the changes that other processes committed. */
interface ChangePoller {
  /** Reads new changes and reports them. */
  poll(): Promise<void>
  /** False if the last successful poll is so long ago that a change may have been missed. */
  isUpToDate(): boolean
}

const max_poll_age_ms = 10_000

/** Changes stay readable for a minute; each is reported once. */
function createChangePoller(unscoped: DbConnection, onChange: (subject: string) => void): ChangePoller {
  let seenIds = new Set<string>()
  let last_poll_ms = monotonic_ms()
  return {
    poll: async () => {
      const started_ms = monotonic_ms()
      const changes = await listRecentPrincipalChanges(unscoped)
      for (const { id, subject } of changes) {
        if (!seenIds.has(id)) onChange(subject)
      }
      seenIds = new Set(changes.map(({ id }) => id))
      last_poll_ms = started_ms
    },
    isUpToDate: () => monotonic_ms() - last_poll_ms < max_poll_age_ms,
  }
}

interface MaintenanceOptions {
  readonly unscoped: DbConnection
  readonly clock: Clock & OrganizationClocks
  readonly log: Logger
  readonly keyUsage: ApiKeyUsageRecorder
  /** Null if this process is the only one of its database. */
  readonly changePoller: ChangePoller | null
}

/** Starts the periodic work of identity; the result stops it. */
function startMaintenance({ unscoped, clock, log, keyUsage, changePoller }: MaintenanceOptions): () => Promise<void> {
  const warn = (doing: string) => (error: unknown) => log.warn({ err: error, doing }, 'identity maintenance failed')
  const sweep = async (): Promise<void> => {
    await deleteAuthorizationCodesBefore(unscoped, new Date(clock.now().getTime() - 24 * hour_ms))
    await deleteDeviceCodesBefore(unscoped, new Date(clock.now().getTime() - 24 * hour_ms))
    await deleteProviderLoginsBefore(unscoped, new Date(clock.now().getTime() - hour_ms))
    await deleteSessionsBefore(unscoped, new Date(clock.now().getTime() - hour_ms))
    await deleteEndedTileTokens(unscoped, shiftOrganizationTimes(clock.times(), -24 * hour_ms))
    await deleteEndedPersonalTokens(unscoped, shiftOrganizationTimes(clock.times(), -30 * 24 * hour_ms))
    const unused_ms = limits.registered_client_days * 24 * hour_ms
    await deleteRegisteredClientsUnusedSince(unscoped, new Date(clock.now().getTime() - unused_ms))
    await deleteAccountMailsBefore(unscoped, new Date(clock.now().getTime() - 24 * hour_ms))
    await deletePasskeyChallengesBefore(unscoped, new Date(clock.now().getTime() - hour_ms))
    await deleteOldPrincipalChanges(unscoped)
  }
  const stops = [
    runPeriodically(5000, () => keyUsage.flush(), warn('writing the last-used times of keys')),
    runPeriodically(hour_ms / 6, sweep, warn('deleting ended sessions and codes')),
    ...(changePoller
      ? [runPeriodically(2000, () => changePoller.poll(), warn('polling the changes of other processes'))]
      : []),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

const max_cached_tokens = 20_000

export interface IdentityOptions {
  readonly database: Database
  readonly clock: Clock & OrganizationClocks
  readonly log: Logger
  /** Encrypt the private signing keys: `deriveKeys(masterSecrets, 'signing-keys')`. */
  readonly sealing_keys: CurrentAndAcceptedKeys
  /** Signs the forms of the sign-in pages. */
  readonly signer: MasterSecretSigner
  readonly passwords: PasswordHasher
  readonly newKeyPair?: KeyPairGenerator
  /** Called for each principal whose tokens must be verified again. */
  readonly onRevocation?: (subject: string) => void
  /** The configured base URL of the platform; null uses the URL of each request. */
  readonly base_url: string | null
  /** Additional redirect URIs of the console, for its developers. */
  readonly console_redirect_uris: readonly string[]
  /** Ids of programs without a secret, besides that of the platform. */
  readonly oauth_public_client_ids: readonly string[]
  /** Fetches the documents of clients, from public addresses only; null if such clients are switched off. */
  readonly client_document_fetch: SafeFetch | null
  /** True if programs may register themselves. */
  readonly client_registration: boolean
  /** The file with the first credentials, as the sign-in page names it. */
  readonly first_credentials_file: string
  /** Counts failed sign-ins. */
  readonly guard: SignInGuard
  /** Notifies the handlers of events that pages emit. */
  readonly queue: QueueProducer
  /** The providers of organizations. */
  readonly openid: OpenIdProviders
  /** Owned by the caller. */
  readonly rates: RateLimiter
}

/** The options about programs of others, as settings have them. */
export const readClientOptions = (
  settings: {
    readonly oauth_client_documents: boolean
    readonly oauth_client_registration: boolean
    readonly oauth_public_client_ids: readonly string[]
    readonly console_redirect_uris: readonly string[]
  },
  safeFetch: SafeFetch,
): Pick<
  IdentityOptions,
  'client_document_fetch' | 'client_registration' | 'oauth_public_client_ids' | 'console_redirect_uris'
> => ({
  console_redirect_uris: settings.console_redirect_uris,
  oauth_public_client_ids: settings.oauth_public_client_ids,
  client_document_fetch: settings.oauth_client_documents ? safeFetch : null,
  client_registration: settings.oauth_client_registration,
})

/** Authentication of users and API keys, and the OAuth endpoints. */
export interface IdentityService extends IdentityEndpoints {
  /** The configured base URL of the platform; null uses the URL of each request. */
  readonly base_url: string | null
  /** Answers the directories of organizations. */
  readonly scim: ScimEndpoint
  /** Throws `unauthenticated`. */
  authenticate(credentials: CallCredentials, operation: AuthenticationRequirement): Promise<Principal>
  /** Writes the pending last-used times of keys. */
  flush(): Promise<void>
  /** Reads the changes of other processes; runs every two seconds in addition to notifications. */
  poll(): Promise<void>
  close(): Promise<void>
}

/** Creates the identity service on a migrated database; creates the signing keys at first start. */
export async function createIdentityService(options: IdentityOptions): Promise<IdentityService> {
  const { database, clock, log, base_url } = options
  const { unscoped } = database
  // The embedded database belongs to one process alone.
  const isShared = database.kind === 'postgres'
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message)
  const invalidate = (subject: string): void => {
    for (const tell of [tokenCache.invalidate, urlTokenCache.invalidate, options.onRevocation]) tell?.(subject)
    if (subject !== signingKeysChangeSubject) return
    tokenCache.clear()
    void keys.reload().catch(warn('could not reload the signing keys'))
  }
  const changePoller = createChangePoller(unscoped, invalidate)
  const isUpToDate = (): boolean => !isShared || changePoller.isUpToDate()
  const tokenCache = createTokenCache(max_cached_tokens, isUpToDate, clock)
  const urlTokenCache = createTokenCache(max_cached_tokens, isUpToDate, clock)
  const keyUsage = createApiKeyUsageRecorder(unscoped, clock)
  const keys = await openKeysOfDatabase(options)
  const dependencies: IdentityDependencies = {
    unscoped,
    clock,
    keys,
    passwords: options.passwords,
    signer: options.signer,
    ...openClients(options),
    first_credentials_file: options.first_credentials_file,
    queue: options.queue,
    openid: options.openid,
    rates: options.rates,
    log,
    tokenCache,
    urlTokenCache,
    keyUsage,
    tokens: createAccessTokenService(keys, base_url),
    ...options.guard,
  }
  await changePoller.poll()
  const unsubscribe = onPrincipalChange(database, invalidate)
  const pollMissedChanges = (): void => void changePoller.poll().catch(warn('could not read missed changes'))
  const stopListening = await listenToChannel(database, principalChangesChannel, invalidate, pollMissedChanges).catch(
    warn('could not listen for changes of other processes; polling instead'),
  )
  const maintenance = { unscoped, clock, log, keyUsage, changePoller: isShared ? changePoller : null }
  const stopMaintenance = startMaintenance(maintenance)

  return {
    ...createIdentityEndpoints(dependencies),
    scim: (request) => handleScimRequest(dependencies, request),
    base_url,
    authenticate: (credentials, operation) => authenticatePrincipal(dependencies, credentials, operation),
    flush: () => keyUsage.flush(),
    poll: () => changePoller.poll(),
    close: async () => {
      await stopMaintenance()
      await stopListening?.()
      unsubscribe()
      await keyUsage.flush()
    },
  }
}

const openClients = (
  options: IdentityOptions,
): Pick<IdentityDependencies, 'clients' | 'clientDocuments' | 'isRegistrationOpen'> => ({
  clients: createPublicClients(options.console_redirect_uris, options.oauth_public_client_ids),
  clientDocuments: options.client_document_fetch && createClientDocuments(options.client_document_fetch, options.clock),
  isRegistrationOpen: options.client_registration,
})

const openKeysOfDatabase = ({ database: { unscoped }, clock, sealing_keys, newKeyPair }: IdentityOptions) =>
  openSigningKeys({
    load: () => findSigningKeyRing(unscoped),
    save: (ring) => saveAndPublishKeyRing(unscoped, ring),
    clock,
    sealingKeys: sealing_keys,
    ...(newKeyPair ? { newKeyPair } : {}),
  })

/** Publishes a replaced key ring: every process must reject a stolen key. */
const saveAndPublishKeyRing = (unscoped: DbConnection, ring: KeyRing): Promise<boolean> =>
  unscoped.transaction(async (tx) => {
    const isSaved = await upsertKeyRing(tx, ring)
    if (isSaved && ring.version > 1) await publishPrincipalChange(tx, signingKeysChangeSubject)
    return isSaved
  })
