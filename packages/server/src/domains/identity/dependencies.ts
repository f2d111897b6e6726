import type { PasswordHasher } from '../../platform/crypto/passwords.ts'
import type { MasterSecretSigner } from '../../platform/crypto/signer.ts'
import type { SigningKeys } from '../../platform/crypto/signing-keys.ts'
import type { Clock, OrganizationClocks } from '../../platform/clock.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import type { OpenIdProviders } from '../../platform/integrations/openid/openid-types.ts'
import type { Logger } from '../../platform/log.ts'
import type { QueueProducer } from '../../platform/queue/queue.ts'
import type { RateLimiter } from '../../platform/rate-limits/rate-limit.ts'
import type { AccessTokenService } from './access-tokens.ts'
import type { ApiKeyUsageRecorder } from './api-keys/api-key-last-used.ts'
import type { PublicClients } from './browser/public-clients.ts'
import type { ClientDocuments } from './clients/client-documents.ts'
import type { TokenCache } from './token-cache.ts'
import type { AuthenticationFailureLimit, FailureThrottle } from './failure-throttle.ts'

/** The limits of failed sign-ins. Knowing an email must not be enough to lock out its owner. */
export interface SignInLimits {
  /** Per IP address, for any account. */
  readonly per_address: AuthenticationFailureLimit
  /** Per account and IP address. */
  readonly per_pair: AuthenticationFailureLimit
  /** Per account from all addresses; beyond it each address has only `failures_while_attacked` for the account. */
  readonly per_account: AuthenticationFailureLimit & { readonly failures_while_attacked: number }
}

export interface AuthenticationDependencies {
  /** Unscoped: the organization of a token is unknown before it is looked up. */
  readonly unscoped: DbConnection
  readonly clock: Clock & OrganizationClocks
  readonly tokens: AccessTokenService
  readonly tokenCache: TokenCache
  /** Tokens of URLs, cached apart: none of them is ever accepted as a Bearer token. */
  readonly urlTokenCache: TokenCache
  /** Signs what is not stored, such as the tokens of files and the forms of the pages, and opens what is stored encrypted. */
  readonly signer: MasterSecretSigner
  readonly keyUsage: ApiKeyUsageRecorder
  readonly throttle: FailureThrottle
  readonly limits: SignInLimits
}

/** The dependencies of the endpoints. */
export interface IdentityDependencies extends AuthenticationDependencies {
  readonly keys: SigningKeys
  readonly passwords: PasswordHasher
  /** The clients of the authorization endpoint. */
  readonly clients: PublicClients
  /** The clients that a document describes; null if such clients are switched off. */
  readonly clientDocuments: ClientDocuments | null
  /** True if programs may register themselves. */
  readonly isRegistrationOpen: boolean
  /** The file with the first credentials, as the sign-in page names it until an administrator has signed in. */
  readonly first_credentials_file: string
  /** Notifies the handlers of events that pages emit. */
  readonly queue: QueueProducer
  /** The providers of organizations. */
  readonly openid: OpenIdProviders
  /** Counts what strangers may start. */
  readonly rates: RateLimiter
  readonly log: Logger
}
